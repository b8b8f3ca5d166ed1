/**
 * What the embedded engine may take besides its statements. Its defaults are those of a server that has the machine to itself.
 * Arguments of the engine; docs/sizing.md has the figures.
 */
export const engineLimits = [
  // An idle thread keeps three files of /proc open. Above this number it ends.
  '--max_thread_pool_free_size=8',
  // Caches of where columns and keys lie in the files, 5 GiB each by default. The least recently used goes first.
  '--mark_cache_size=536870912',
  '--primary_index_cache_size=134217728',
  '--index_mark_cache_size=67108864',
]
