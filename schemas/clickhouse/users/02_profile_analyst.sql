-- Tools set limits of their own and compress answers, hence readonly = 2 and not 1; the bounds hold whatever they set.
CREATE SETTINGS PROFILE IF NOT EXISTS rollcall_analyst
SETTINGS
    readonly = 2,
    max_execution_time = 60 MIN 1 MAX 600,
    max_memory_usage = 4294967296 MIN 1 MAX 8589934592,
    max_threads = 4 MIN 1 MAX 8,
    max_concurrent_queries_for_user = 8 MIN 1 MAX 8
