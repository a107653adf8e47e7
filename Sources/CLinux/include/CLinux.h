// What the module Glibc hides of the system: epoll, eventfd, accept4, constants that are macros with casts, and
// inotify. Empty where there is no Linux.
#ifndef CLINUX_H
#define CLINUX_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __linux__
#include <sys/inotify.h>

/// One thing that happened to a descriptor.
typedef struct {
  uint64_t token;
  uint32_t isReadable;
  uint32_t isWritable;
  /// The peer is gone, or the socket has an error.
  uint32_t isBroken;
} clinux_event;

int clinux_epoll_create(void);
/// Adds a descriptor; with `isShared` only one of the pollers that wait for it wakes up.
int clinux_epoll_add(int poller, int descriptor, uint64_t token, int reads, int writes, int isShared);
int clinux_epoll_change(int poller, int descriptor, uint64_t token, int reads, int writes);
int clinux_epoll_remove(int poller, int descriptor);
/// At most 256 events. Returns how many there are, 0 also when a signal came between.
int clinux_epoll_wait(int poller, clinux_event *events, int capacity, int milliseconds);

/// A descriptor that wakes a poller.
int clinux_eventfd(void);
void clinux_eventfd_signal(int descriptor);
void clinux_eventfd_clear(int descriptor);

/// A listening socket for an IPv4 or IPv6 address in digits; -1 with `errno` otherwise.
int clinux_listen(const char *address, uint16_t port, int backlog);
/// The port that a socket is bound to; 0 if it cannot be told.
uint16_t clinux_port(int descriptor);
/// A new connection that never blocks; -1 with `errno` otherwise.
int clinux_accept(int descriptor);
/// Sends without a signal when the peer is gone.
ssize_t clinux_send(int descriptor, const void *bytes, size_t count);
ssize_t clinux_receive(int descriptor, void *bytes, size_t count);
/// A blocking connection to an address in digits whose reads and writes give up after some seconds.
int clinux_connect(const char *address, uint16_t port, int seconds);
void clinux_finish_sending(int descriptor);
/// As many open files as the system lets us have. Returns the number.
uint64_t clinux_raise_file_limit(void);
/// Gives back the memory of the program's own code and constants, most of which only its start needed. What is used
/// again comes from the file, or from the page cache where it still is.
void clinux_release_code(void);
/// Whole milliseconds of a clock that never goes back.
uint64_t clinux_milliseconds(void);

#endif
#endif
