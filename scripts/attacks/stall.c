/* Is loaded into the server before the C library, and makes its syncs slow.

   While the file that STALL_FILE names is empty, a sync hangs; if it has a number, each sync takes as many
   milliseconds longer. The journal's pwritev2 is a call of syscall(2); fdatasync is called where that does not exist. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static void stall(void) {
    const char *path = getenv("STALL_FILE");
    int file;
    while (path && (file = open(path, O_RDONLY | O_CLOEXEC)) != -1) {
        char text[16] = {0};
        ssize_t count = read(file, text, sizeof text - 1);
        close(file);
        usleep(count > 0 ? 1000 * atoi(text) : 10000);
        if (count > 0) return;
    }
}

long syscall(long number, ...) {
    long words[6];
    va_list list;
    va_start(list, number);
    for (int index = 0; index < 6; index++) words[index] = va_arg(list, long);
    va_end(list);
    if (number == SYS_pwritev2) stall();
    long (*next)(long, ...) = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
    return next(number, words[0], words[1], words[2], words[3], words[4], words[5]);
}

int fdatasync(int file) {
    stall();
    return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(file);
}
