/* A server that only reads and sends: the limit with which scripts/compare compares the others.
 *
 * `floor PORT` listens on 127.0.0.1, on a free port if PORT is 0, and prints the port. In each turn it reads whatever
 * bytes came, and sends exactly these to every connection, the sender first, with one send() each. There is no state,
 * no rule and no journal. A greeting tells each client that it is connected. It ends if a system call fails. Linux only.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CONNECTIONS = 1 << 20, EVENTS = 4096, READ = 1 << 18 };

static const char greeting[] = "HELLO every line is sent to all\n";

/* What the kernel did not take of a connection; empty unless its reader is slow. */
struct backlog { char *bytes; size_t count; };

static int poller, listener;
static int connections[CONNECTIONS], places[CONNECTIONS], connection_count;
static struct backlog backlogs[CONNECTIONS];

static void fail(const char *call) {
    perror(call);
    exit(1);
}

static void watch(int operation, int descriptor, unsigned events) {
    struct epoll_event event = { .events = events, .data.fd = descriptor };
    if (epoll_ctl(poller, operation, descriptor, &event) == -1) fail("epoll_ctl");
}

static void keep(int descriptor, const char *bytes, size_t count) {
    struct backlog *backlog = &backlogs[descriptor];
    if (backlog->count == 0) watch(EPOLL_CTL_MOD, descriptor, EPOLLIN | EPOLLOUT);
    backlog->bytes = realloc(backlog->bytes, backlog->count + count);
    if (!backlog->bytes) fail("realloc");
    memcpy(backlog->bytes + backlog->count, bytes, count);
    backlog->count += count;
}

static void send_bytes(int descriptor, const char *bytes, size_t count) {
    ssize_t sent = 0;
    if (backlogs[descriptor].count == 0) {
        sent = send(descriptor, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent == -1 && errno != EAGAIN) return;  /* the client has gone, which recv will report */
        if (sent == -1) sent = 0;
    }
    if ((size_t)sent < count) keep(descriptor, bytes + sent, count - sent);
}

static void send_rest(int descriptor) {
    struct backlog rest = backlogs[descriptor];
    backlogs[descriptor] = (struct backlog){ 0 };
    watch(EPOLL_CTL_MOD, descriptor, EPOLLIN);
    if (rest.count > 0) send_bytes(descriptor, rest.bytes, rest.count);
    free(rest.bytes);
}

static void admit(void) {
    int on = 1, descriptor;
    while ((descriptor = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) != -1) {
        setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        watch(EPOLL_CTL_ADD, descriptor, EPOLLIN);
        places[descriptor] = connection_count;
        connections[connection_count++] = descriptor;
        send_bytes(descriptor, greeting, sizeof greeting - 1);
    }
}

static void drop(int descriptor) {
    int last = connections[--connection_count];
    connections[places[descriptor]] = last;
    places[last] = places[descriptor];
    free(backlogs[descriptor].bytes);
    backlogs[descriptor] = (struct backlog){ 0 };
    close(descriptor);
}

/* The sender is the first to receive its own bytes. */
static void send_to_all(int sender, const char *bytes, size_t count) {
    send_bytes(sender, bytes, count);
    for (int place = 0; place < connection_count; place++)
        if (connections[place] != sender) send_bytes(connections[place], bytes, count);
}

static void receive(int descriptor) {
    static char buffer[READ];
    ssize_t count = recv(descriptor, buffer, sizeof buffer, 0);
    if (count > 0)
        send_to_all(descriptor, buffer, count);
    else if (count == 0 || errno != EAGAIN)
        drop(descriptor);
}

static int start_listening(int port) {
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(port) };
    socklen_t length = sizeof address;
    int on = 1;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(listener, (struct sockaddr *)&address, length) == -1) fail("bind");
    if (listen(listener, 4096) == -1) fail("listen");
    getsockname(listener, (struct sockaddr *)&address, &length);
    return ntohs(address.sin_port);
}

int main(int count, char **words) {
    static struct epoll_event events[EVENTS];
    struct rlimit files;
    if (count != 2) return fputs("usage: floor PORT\n", stderr), 2;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    poller = epoll_create1(EPOLL_CLOEXEC);
    printf("%d\n", start_listening(atoi(words[1])));
    fflush(stdout);
    watch(EPOLL_CTL_ADD, listener, EPOLLIN);
    while (1) {
        int ready = epoll_wait(poller, events, EVENTS, -1);
        for (int i = 0; i < ready; i++) {
            int descriptor = events[i].data.fd;
            if (descriptor == listener) admit();
            else if (events[i].events & EPOLLOUT) send_rest(descriptor);
            else receive(descriptor);
        }
    }
}
