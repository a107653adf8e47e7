#pragma once

#include <stdint.h>

/// A disk for SQLite whose power can fail: what was written to a file since it was last synced lies in memory, and when
/// the power goes a random part of it is lost, by sectors of 512 bytes and in any order. Everything else is passed on
/// to the file system. For tests; each disk is a VFS of its own, under its own name.
typedef struct faulty_disk faulty_disk;

/// Registers a disk; SQLite opens files on it by this name.
faulty_disk *faulty_disk_make(const char *name, uint64_t seed);

/// Only after every connection to its files was closed.
void faulty_disk_free(faulty_disk *disk);

/// Lets the power fail at the given number of changes (writes, syncs, truncations, removals) from now; 0: not.
void faulty_disk_fail_after(faulty_disk *disk, int64_t changes);

/// Lets the power fail now, if it is still on.
void faulty_disk_fail(faulty_disk *disk);

/// Whether it has failed, so that every call is an error.
int faulty_disk_is_off(const faulty_disk *disk);

/// Switches it on again. Only after every connection to its files was closed.
void faulty_disk_restart(faulty_disk *disk);

/// Has no room from the given number of bytes on that are written from now; -1: has room.
void faulty_disk_fill(faulty_disk *disk, int64_t bytes);

/// Opens databases for reading only.
void faulty_disk_protect(faulty_disk *disk, int is_protected);

/// How many sectors were lost so far, and how many of those that had not been synced were not.
int64_t faulty_disk_lost(const faulty_disk *disk);
int64_t faulty_disk_kept(const faulty_disk *disk);
