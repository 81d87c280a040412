#ifndef CPLATFORM_H
#define CPLATFORM_H
// What Swift's C library module does not export.
#ifdef __linux__
#include <sched.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/timerfd.h>
#include <sys/sendfile.h>
#endif
#endif
