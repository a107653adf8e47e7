#ifdef __linux__
#define _GNU_SOURCE
#include "CLinux.h"

#include <arpa/inet.h>
#include <errno.h>
#include <link.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define MOST_EVENTS 256

static uint32_t interest(int reads, int writes) {
  return (reads ? EPOLLIN | EPOLLRDHUP : 0) | (writes ? EPOLLOUT : 0);
}

int clinux_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

int clinux_epoll_add(int poller, int descriptor, uint64_t token, int reads, int writes, int isShared) {
  struct epoll_event event = {.events = interest(reads, writes), .data.u64 = token};
  // Together with EPOLLEXCLUSIVE only a few flags are allowed.
  if (isShared) event.events = EPOLLIN | EPOLLEXCLUSIVE;
  return epoll_ctl(poller, EPOLL_CTL_ADD, descriptor, &event);
}

int clinux_epoll_change(int poller, int descriptor, uint64_t token, int reads, int writes) {
  struct epoll_event event = {.events = interest(reads, writes), .data.u64 = token};
  return epoll_ctl(poller, EPOLL_CTL_MOD, descriptor, &event);
}

int clinux_epoll_remove(int poller, int descriptor) {
  return epoll_ctl(poller, EPOLL_CTL_DEL, descriptor, NULL);
}

int clinux_epoll_wait(int poller, clinux_event *events, int capacity, int milliseconds) {
  struct epoll_event found[MOST_EVENTS];
  int count = epoll_wait(poller, found, capacity < MOST_EVENTS ? capacity : MOST_EVENTS, milliseconds);
  if (count < 0) return errno == EINTR ? 0 : -1;
  for (int i = 0; i < count; i++) {
    uint32_t flags = found[i].events;
    events[i].token = found[i].data.u64;
    events[i].isReadable = (flags & (EPOLLIN | EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0;
    events[i].isWritable = (flags & EPOLLOUT) != 0;
    events[i].isBroken = (flags & (EPOLLHUP | EPOLLERR)) != 0;
  }
  return count;
}

int clinux_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

void clinux_eventfd_signal(int descriptor) {
  uint64_t one = 1;
  while (write(descriptor, &one, sizeof one) < 0 && errno == EINTR) {
  }
}

void clinux_eventfd_clear(int descriptor) {
  uint64_t count;
  while (read(descriptor, &count, sizeof count) < 0 && errno == EINTR) {
  }
}

static int fill(const char *address, uint16_t port, struct sockaddr_storage *storage, socklen_t *size) {
  memset(storage, 0, sizeof *storage);
  struct sockaddr_in *v4 = (struct sockaddr_in *)storage;
  struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)storage;
  if (inet_pton(AF_INET, address, &v4->sin_addr) == 1) {
    v4->sin_family = AF_INET;
    v4->sin_port = htons(port);
    *size = sizeof *v4;
    return 1;
  }
  if (inet_pton(AF_INET6, address, &v6->sin6_addr) == 1) {
    v6->sin6_family = AF_INET6;
    v6->sin6_port = htons(port);
    *size = sizeof *v6;
    return 1;
  }
  errno = EINVAL;
  return 0;
}

static int failed(int descriptor) {
  int reason = errno;
  close(descriptor);
  errno = reason;
  return -1;
}

int clinux_listen(const char *address, uint16_t port, int backlog) {
  struct sockaddr_storage storage;
  socklen_t size;
  if (!fill(address, port, &storage, &size)) return -1;
  int descriptor = socket(storage.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return -1;
  int on = 1;
  setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(descriptor, (struct sockaddr *)&storage, size) < 0) return failed(descriptor);
  if (listen(descriptor, backlog) < 0) return failed(descriptor);
  return descriptor;
}

uint16_t clinux_port(int descriptor) {
  struct sockaddr_storage storage;
  socklen_t size = sizeof storage;
  if (getsockname(descriptor, (struct sockaddr *)&storage, &size) < 0) return 0;
  if (storage.ss_family == AF_INET) return ntohs(((struct sockaddr_in *)&storage)->sin_port);
  if (storage.ss_family == AF_INET6) return ntohs(((struct sockaddr_in6 *)&storage)->sin6_port);
  return 0;
}

int clinux_accept(int descriptor) {
  int connection = accept4(descriptor, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (connection < 0) return -1;
  int on = 1;
  setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  // A peer that vanished without a word is found out in the end.
  setsockopt(connection, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
  return connection;
}

ssize_t clinux_send(int descriptor, const void *bytes, size_t count) {
  return send(descriptor, bytes, count, MSG_NOSIGNAL);
}

ssize_t clinux_receive(int descriptor, void *bytes, size_t count) { return recv(descriptor, bytes, count, 0); }

int clinux_connect(const char *address, uint16_t port, int seconds) {
  struct sockaddr_storage storage;
  socklen_t size;
  if (!fill(address, port, &storage, &size)) return -1;
  int descriptor = socket(storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return -1;
  struct timeval limit = {.tv_sec = seconds, .tv_usec = 0};
  setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  if (connect(descriptor, (struct sockaddr *)&storage, size) < 0) return failed(descriptor);
  return descriptor;
}

void clinux_finish_sending(int descriptor) { shutdown(descriptor, SHUT_WR); }

uint64_t clinux_raise_file_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) < 0) return 0;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  getrlimit(RLIMIT_NOFILE, &limit);
  return limit.rlim_cur;
}

uint64_t clinux_milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}
static int release_code(struct dl_phdr_info *object, size_t size, void *context) {
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    // Nothing was ever written to these, so that the file has them all.
    if (part->p_type != PT_LOAD || (part->p_flags & PF_W)) continue;
    uintptr_t start = (object->dlpi_addr + part->p_vaddr + page - 1) & ~(page - 1);
    uintptr_t end = (object->dlpi_addr + part->p_vaddr + part->p_memsz) & ~(page - 1);
    if (end > start) madvise((void *)start, end - start, MADV_DONTNEED);
  }
  // The program itself comes first; libraries are shared with others.
  return 1;
}

void clinux_release_code(void) { dl_iterate_phdr(release_code, NULL); }

#endif
