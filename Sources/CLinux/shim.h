#ifndef CLINUX_SHIM_H
#define CLINUX_SHIM_H

#ifdef __linux__

#include <fcntl.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>

/* Swift imports the C library without _GNU_SOURCE, which hides these two declarations. */
#ifndef _GNU_SOURCE
extern int accept4(int, struct sockaddr *, socklen_t *, int);
extern int pipe2(int[2], int);
#endif

/* Accepts a connection whose descriptor neither blocks nor survives exec. */
static inline int clinux_accept(int listener) {
    return accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

/* Makes a pipe whose ends neither block nor survive exec. */
static inline int clinux_pipe(int ends[2]) {
    return pipe2(ends, O_NONBLOCK | O_CLOEXEC);
}

#endif

#endif
