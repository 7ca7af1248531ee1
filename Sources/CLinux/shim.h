#ifndef CLINUX_SHIM_H
#define CLINUX_SHIM_H

#ifdef __linux__

#include <fcntl.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#ifndef SYS_epoll_pwait2
#define SYS_epoll_pwait2 441
#endif

#ifndef RWF_DSYNC
#define RWF_DSYNC 0x00000002
#endif

/* Swift imports the C library without _GNU_SOURCE, which hides these declarations. */
#ifndef _GNU_SOURCE
extern int accept4(int, struct sockaddr *, socklen_t *, int);
extern int pipe2(int[2], int);
extern long syscall(long, ...);
#endif

/* Accepts a connection whose descriptor neither blocks nor survives exec, and stores its address. */
static inline int clinux_accept(int listener, struct sockaddr_storage *peer) {
    socklen_t length = sizeof *peer;
    return accept4(listener, (struct sockaddr *)peer, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

/* Waits to the nanosecond; ENOSYS where the kernel is older than that. Not by the C library, whose
   older versions lack the call. */
static inline int clinux_epoll_wait(
    int poller, struct epoll_event *events, int count, const struct timespec *time) {
    return (int)syscall(SYS_epoll_pwait2, poller, events, count, time, NULL, (size_t)0);
}

/* Sends without waiting, and without a signal when the peer has gone. Not by the C library, whose
   send is a point of cancellation: that costs as much again on its side in a process with threads. */
static inline ssize_t clinux_send(int descriptor, const void *bytes, size_t count) {
    return syscall(SYS_sendto, descriptor, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL, NULL, 0L);
}

/* Makes a pipe whose ends neither block nor survive exec. */
static inline int clinux_pipe(int ends[2]) {
    return pipe2(ends, O_NONBLOCK | O_CLOEXEC);
}

/* Appends to a file opened with O_APPEND and waits for the disk, as write(2) and fdatasync(2) do.
   EOPNOTSUPP or ENOSYS where the file system or the kernel cannot do that in one call. */
static inline ssize_t clinux_append_synced(int file, const void *bytes, size_t count) {
    struct iovec part = {(void *)bytes, count};
    return syscall(SYS_pwritev2, file, &part, 1L, -1L, -1L, RWF_DSYNC);
}

#endif

#endif
