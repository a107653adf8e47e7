#include "FaultyDisk.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SECTOR = 512 };

/// A change of a file that was not synced. One without bytes cuts the file to `offset`.
typedef struct change {
  struct change *next;
  int64_t offset;
  int64_t count;
  unsigned char bytes[];
} change;

/// A file as those see it who use it, and what of it is not on the disk.
typedef struct file {
  struct file *next;
  char *path;
  int users;
  /// Its removal, or its being there at all, may not have reached the disk.
  int is_removed, is_new;
  /// Its removal has.
  int is_gone;
  unsigned char *bytes;
  int64_t count, room;
  change *first, *last;
} file;

struct faulty_disk {
  sqlite3_vfs vfs;
  sqlite3_vfs *real;
  sqlite3_mutex *mutex;
  char *name;
  file *files;
  uint64_t random;
  int64_t until_failure, room;
  int is_off, is_protected;
  int64_t lost, kept;
};

typedef struct {
  sqlite3_file base;
  faulty_disk *disk;
  /// NULL: of no concern, passed on.
  file *content;
  sqlite3_file *real;
} handle;

static faulty_disk *disk_of(sqlite3_vfs *vfs) { return vfs->pAppData; }

static uint64_t next_random(faulty_disk *disk) {
  uint64_t z = disk->random += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

static void forget(file *f) {
  for (change *c = f->first; c;) {
    change *next = c->next;
    free(c);
    c = next;
  }
  f->first = f->last = NULL;
}

static int reserve(file *f, int64_t count) {
  if (count <= f->room) return SQLITE_OK;
  int64_t room = count * 2 + 4096;
  unsigned char *bytes = realloc(f->bytes, (size_t)room);
  if (!bytes) return SQLITE_NOMEM;
  f->bytes = bytes;
  f->room = room;
  return SQLITE_OK;
}

static int note(file *f, int64_t offset, const void *bytes, int64_t count) {
  change *c = malloc(sizeof(change) + (size_t)count);
  if (!c) return SQLITE_NOMEM;
  c->next = NULL;
  c->offset = offset;
  c->count = count;
  if (count) memcpy(c->bytes, bytes, (size_t)count);
  if (f->last) f->last->next = c; else f->first = c;
  f->last = c;
  return SQLITE_OK;
}

/// Puts a random part of what was not synced on the disk.
static void lose(faulty_disk *disk, file *f) {
  int target = open(f->path, O_RDWR);
  for (change *c = f->first; c && target >= 0; c = c->next) {
    if (!c->count) {
      if (next_random(disk) & 1 && ftruncate(target, c->offset)) break;
      continue;
    }
    // Each write may reach the disk wholly, not at all, or in part.
    uint64_t fate = next_random(disk) % 4;
    for (int64_t at = 0; at < c->count;) {
      int64_t size = SECTOR - (c->offset + at) % SECTOR;
      if (size > c->count - at) size = c->count - at;
      int is_kept = fate == 0 || (fate > 1 && next_random(disk) & 1);
      if (is_kept && pwrite(target, c->bytes + at, (size_t)size, c->offset + at) != size) break;
      if (is_kept) disk->kept += 1; else disk->lost += 1;
      at += size;
    }
  }
  if (target >= 0) close(target);
  // What was removed without waiting for it may be there again.
  if (f->is_removed && !f->is_gone && next_random(disk) & 1) {
    int back = open(f->path, O_RDWR | O_CREAT | O_EXCL, 0644);
    if (back >= 0) {
      if (write(back, f->bytes, (size_t)f->count) < 0) disk->lost += 1;
      close(back);
    }
  }
  forget(f);
}

static void fail(faulty_disk *disk) {
  if (disk->is_off) return;
  disk->is_off = 1;
  for (file *f = disk->files; f; f = f->next) lose(disk, f);
}

/// Counts one change; whether the power is on afterwards.
static int is_on(faulty_disk *disk) {
  if (!disk->is_off && disk->until_failure > 0 && --disk->until_failure == 0) fail(disk);
  return !disk->is_off;
}

/// Does something alone, and returns.
#define LOCKED(disk, code, body) \
  do { \
    sqlite3_mutex_enter((disk)->mutex); \
    body; \
    sqlite3_mutex_leave((disk)->mutex); \
    return code; \
  } while (0)

// MARK: Files

static int file_close(sqlite3_file *base) {
  handle *h = (handle *)base;
  int code = h->real->pMethods ? h->real->pMethods->xClose(h->real) : SQLITE_OK;
  sqlite3_mutex_enter(h->disk->mutex);
  // Others that have it open go on with what was not synced; without any it stays as it is until the power fails.
  if (h->content) h->content->users -= 1;
  sqlite3_mutex_leave(h->disk->mutex);
  free(h->real);
  return code;
}

static int file_read(sqlite3_file *base, void *bytes, int count, sqlite3_int64 offset) {
  handle *h = (handle *)base;
  int code = SQLITE_OK;
  LOCKED(h->disk, code, {
    int64_t there = h->content->count - offset;
    if (h->disk->is_off) {
      code = SQLITE_IOERR_READ;
    } else if (there >= count) {
      memcpy(bytes, h->content->bytes + offset, (size_t)count);
    } else {
      memset(bytes, 0, (size_t)count);
      if (there > 0) memcpy(bytes, h->content->bytes + offset, (size_t)there);
      code = SQLITE_IOERR_SHORT_READ;
    }
  });
}

static int file_write(sqlite3_file *base, const void *bytes, int count, sqlite3_int64 offset) {
  handle *h = (handle *)base;
  file *f = h->content;
  int code = SQLITE_OK;
  LOCKED(h->disk, code, {
    if (h->disk->room >= 0 && h->disk->room < count) {
      code = SQLITE_FULL;
    } else if ((code = reserve(f, offset + count)) == SQLITE_OK && (code = note(f, offset, bytes, count)) == SQLITE_OK) {
      if (h->disk->room >= 0) h->disk->room -= count;
      if (offset > f->count) memset(f->bytes + f->count, 0, (size_t)(offset - f->count));
      memcpy(f->bytes + offset, bytes, (size_t)count);
      if (offset + count > f->count) f->count = offset + count;
      if (!is_on(h->disk)) code = SQLITE_IOERR_WRITE;
    }
  });
}

static int file_truncate(sqlite3_file *base, sqlite3_int64 size) {
  handle *h = (handle *)base;
  file *f = h->content;
  int code = SQLITE_OK;
  LOCKED(h->disk, code, {
    if (size < f->count && (code = note(f, size, NULL, 0)) == SQLITE_OK) {
      f->count = size;
      if (!is_on(h->disk)) code = SQLITE_IOERR_TRUNCATE;
    }
  });
}

static int file_sync(sqlite3_file *base, int flags) {
  (void)flags;
  handle *h = (handle *)base;
  int code = SQLITE_OK;
  LOCKED(h->disk, code, {
    if (!is_on(h->disk)) code = SQLITE_IOERR_FSYNC;
    for (change *c = h->content->first; c && code == SQLITE_OK; c = c->next) {
      code = c->count ? h->real->pMethods->xWrite(h->real, c->bytes, (int)c->count, c->offset)
                      : h->real->pMethods->xTruncate(h->real, c->offset);
    }
    if (code == SQLITE_OK) forget(h->content);
    // With a journal that is new its folder is synced, too, and so are the removals of others.
    if (code == SQLITE_OK && h->content->is_new) {
      h->content->is_new = 0;
      for (file *f = h->disk->files; f; f = f->next) if (f->is_removed) f->is_gone = 1;
    }
  });
}

static int file_size(sqlite3_file *base, sqlite3_int64 *size) {
  handle *h = (handle *)base;
  LOCKED(h->disk, h->disk->is_off ? SQLITE_IOERR_FSTAT : SQLITE_OK, *size = h->content->count);
}

static int file_lock(sqlite3_file *base, int level) {
  handle *h = (handle *)base;
  return h->real->pMethods->xLock(h->real, level);
}
static int file_unlock(sqlite3_file *base, int level) {
  handle *h = (handle *)base;
  return h->real->pMethods->xUnlock(h->real, level);
}
static int file_check_reserved(sqlite3_file *base, int *result) {
  handle *h = (handle *)base;
  return h->real->pMethods->xCheckReservedLock(h->real, result);
}
static int file_control(sqlite3_file *base, int op, void *argument) {
  handle *h = (handle *)base;
  // What grows or maps the file itself is not for a file of which a part is in memory.
  switch (op) {
  case SQLITE_FCNTL_SIZE_HINT: case SQLITE_FCNTL_CHUNK_SIZE: case SQLITE_FCNTL_MMAP_SIZE: return SQLITE_NOTFOUND;
  default: return h->real->pMethods->xFileControl(h->real, op, argument);
  }
}
static int file_sector(sqlite3_file *base) {
  (void)base;
  return SECTOR;
}
static int file_characteristics(sqlite3_file *base) {
  (void)base;
  return SQLITE_IOCAP_POWERSAFE_OVERWRITE;
}
static int file_shm_map(sqlite3_file *base, int page, int size, int extend, void volatile **memory) {
  handle *h = (handle *)base;
  return h->real->pMethods->xShmMap(h->real, page, size, extend, memory);
}
static int file_shm_lock(sqlite3_file *base, int offset, int count, int flags) {
  handle *h = (handle *)base;
  return h->real->pMethods->xShmLock(h->real, offset, count, flags);
}
static void file_shm_barrier(sqlite3_file *base) {
  handle *h = (handle *)base;
  h->real->pMethods->xShmBarrier(h->real);
}
static int file_shm_unmap(sqlite3_file *base, int is_last) {
  handle *h = (handle *)base;
  return h->real->pMethods->xShmUnmap(h->real, is_last);
}

static const sqlite3_io_methods methods = {
  .iVersion = 2, .xClose = file_close, .xRead = file_read, .xWrite = file_write, .xTruncate = file_truncate,
  .xSync = file_sync, .xFileSize = file_size, .xLock = file_lock, .xUnlock = file_unlock,
  .xCheckReservedLock = file_check_reserved, .xFileControl = file_control, .xSectorSize = file_sector,
  .xDeviceCharacteristics = file_characteristics, .xShmMap = file_shm_map, .xShmLock = file_shm_lock,
  .xShmBarrier = file_shm_barrier, .xShmUnmap = file_shm_unmap,
};

// MARK: The disk

static file *find(faulty_disk *disk, const char *path) {
  file *f = disk->files;
  while (f && strcmp(f->path, path)) f = f->next;
  return f;
}

/// The content of a file that was just opened.
static int content(faulty_disk *disk, const char *path, int is_journal, sqlite3_file *real, file **result) {
  file *f = find(disk, path);
  if (!f) {
    f = calloc(1, sizeof(file));
    if (!f || !(f->path = strdup(path))) return SQLITE_NOMEM;
    f->next = disk->files;
    disk->files = f;
    f->is_removed = 1;
  }
  *result = f;
  // Known, and in use or with changes that were not synced.
  if (!f->is_removed && (f->users || f->first)) return SQLITE_OK;
  f->is_removed = f->is_gone = 0;
  f->is_new = is_journal;
  forget(f);
  sqlite3_int64 size = 0;
  int code = real->pMethods->xFileSize(real, &size);
  if (code == SQLITE_OK) code = reserve(f, size);
  if (code == SQLITE_OK && size) code = real->pMethods->xRead(real, f->bytes, (int)size, 0);
  f->count = size;
  return code;
}

static int disk_open(sqlite3_vfs *vfs, sqlite3_filename path, sqlite3_file *base, int flags, int *flags_out) {
  faulty_disk *disk = disk_of(vfs);
  handle *h = (handle *)base;
  memset(h, 0, sizeof(handle));
  if (disk->is_off) return SQLITE_CANTOPEN;
  if (disk->is_protected && flags & SQLITE_OPEN_MAIN_DB) flags = (flags & ~(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)) | SQLITE_OPEN_READONLY;
  sqlite3_file *real = calloc(1, (size_t)disk->real->szOsFile);
  if (!real) return SQLITE_NOMEM;
  int code = disk->real->xOpen(disk->real, path, real, flags, flags_out);
  if (code == SQLITE_OK && path) {
    sqlite3_mutex_enter(disk->mutex);
    int journals = SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL | SQLITE_OPEN_WAL;
    code = content(disk, path, (flags & journals) != 0, real, &h->content);
    if (code == SQLITE_OK) h->content->users += 1;
    sqlite3_mutex_leave(disk->mutex);
  } else if (code == SQLITE_OK) {
    // Temporary files are not asked for; whoever sees one has found something new.
    code = SQLITE_CANTOPEN;
  }
  if (code != SQLITE_OK) {
    if (real->pMethods) real->pMethods->xClose(real);
    free(real);
    return code;
  }
  h->disk = disk;
  h->real = real;
  h->base.pMethods = &methods;
  return SQLITE_OK;
}

static int disk_delete(sqlite3_vfs *vfs, const char *path, int waits) {
  faulty_disk *disk = disk_of(vfs);
  int code = SQLITE_OK;
  LOCKED(disk, code, {
    file *f = find(disk, path);
    if (!is_on(disk)) {
      code = SQLITE_IOERR_DELETE;
    } else {
      code = disk->real->xDelete(disk->real, path, waits);
      if (f) {
        forget(f);
        f->is_removed = 1;
        f->is_gone = waits;
      }
    }
  });
}

static int disk_access(sqlite3_vfs *vfs, const char *path, int flags, int *result) {
  faulty_disk *disk = disk_of(vfs);
  return disk->is_off ? SQLITE_IOERR_ACCESS : disk->real->xAccess(disk->real, path, flags, result);
}
static int disk_full_path(sqlite3_vfs *vfs, const char *path, int count, char *result) {
  return disk_of(vfs)->real->xFullPathname(disk_of(vfs)->real, path, count, result);
}
static int disk_randomness(sqlite3_vfs *vfs, int count, char *result) {
  return disk_of(vfs)->real->xRandomness(disk_of(vfs)->real, count, result);
}
static int disk_sleep(sqlite3_vfs *vfs, int microseconds) {
  return disk_of(vfs)->real->xSleep(disk_of(vfs)->real, microseconds);
}
static int disk_time(sqlite3_vfs *vfs, sqlite3_int64 *time) {
  return disk_of(vfs)->real->xCurrentTimeInt64(disk_of(vfs)->real, time);
}
static int disk_time_double(sqlite3_vfs *vfs, double *time) {
  return disk_of(vfs)->real->xCurrentTime(disk_of(vfs)->real, time);
}
static int disk_error(sqlite3_vfs *vfs, int count, char *text) {
  return disk_of(vfs)->real->xGetLastError(disk_of(vfs)->real, count, text);
}

faulty_disk *faulty_disk_make(const char *name, uint64_t seed) {
  faulty_disk *disk = calloc(1, sizeof(faulty_disk));
  if (!disk) return NULL;
  disk->real = sqlite3_vfs_find(NULL);
  disk->mutex = sqlite3_mutex_alloc(SQLITE_MUTEX_RECURSIVE);
  disk->name = strdup(name);
  disk->random = seed;
  disk->room = -1;
  disk->vfs = (sqlite3_vfs){
    .iVersion = 2, .szOsFile = sizeof(handle), .mxPathname = disk->real->mxPathname, .zName = disk->name,
    .pAppData = disk, .xOpen = disk_open, .xDelete = disk_delete, .xAccess = disk_access,
    .xFullPathname = disk_full_path, .xRandomness = disk_randomness, .xSleep = disk_sleep,
    .xCurrentTime = disk_time_double, .xCurrentTimeInt64 = disk_time, .xGetLastError = disk_error,
  };
  sqlite3_vfs_register(&disk->vfs, 0);
  return disk;
}

static void forget_files(faulty_disk *disk) {
  for (file *f = disk->files; f;) {
    file *next = f->next;
    forget(f);
    free(f->bytes);
    free(f->path);
    free(f);
    f = next;
  }
  disk->files = NULL;
}

void faulty_disk_free(faulty_disk *disk) {
  sqlite3_vfs_unregister(&disk->vfs);
  forget_files(disk);
  sqlite3_mutex_free(disk->mutex);
  free(disk->name);
  free(disk);
}

void faulty_disk_fail_after(faulty_disk *disk, int64_t changes) { disk->until_failure = changes; }

void faulty_disk_fail(faulty_disk *disk) {
  sqlite3_mutex_enter(disk->mutex);
  fail(disk);
  sqlite3_mutex_leave(disk->mutex);
}

int faulty_disk_is_off(const faulty_disk *disk) { return disk->is_off; }

void faulty_disk_restart(faulty_disk *disk) {
  forget_files(disk);
  disk->is_off = 0;
  disk->until_failure = 0;
}

void faulty_disk_fill(faulty_disk *disk, int64_t bytes) { disk->room = bytes; }
void faulty_disk_protect(faulty_disk *disk, int is_protected) { disk->is_protected = is_protected; }
int64_t faulty_disk_lost(const faulty_disk *disk) { return disk->lost; }
int64_t faulty_disk_kept(const faulty_disk *disk) { return disk->kept; }
