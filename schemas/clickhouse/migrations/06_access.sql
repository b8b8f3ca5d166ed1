-- Who may see the dashboards: people, tokens, sessions, saved views, targets, notes, and the audit.

-- What the owner said of people who sign in: the newest row of a login holds. Few rows, read whole.
CREATE TABLE IF NOT EXISTS rollcall.access_people
(
    login String COMMENT 'E-mail in lower case, or sub: and the subject at the sign-in provider',
    role LowCardinality(String) COMMENT 'owner, analyst, manager; nobody = may not sign in; empty = as the sign-in provider says',
    names Bool COMMENT 'Whether an analyst sees names and e-mails',
    user_id String COMMENT 'Id at the platform; empty = found by e-mail',
    password String COMMENT 'scrypt hash with its salt and costs; empty = no password',
    is_removed Bool COMMENT 'Whether the owner took the entry away',
    changed_at DateTime64(3, 'UTC') COMMENT 'When it was said',
    changed_by String COMMENT 'Login of the one who said so'
)
ENGINE = ReplacingMergeTree(changed_at)
ORDER BY login
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'Roles and passwords of people who sign in to the dashboards';

-- API tokens for scripts: the newest row of an id holds. Only hashes.
CREATE TABLE IF NOT EXISTS rollcall.access_tokens
(
    id String COMMENT 'First digits of the hash',
    name String COMMENT 'What it is for',
    sha256 String COMMENT 'SHA-256 of the token, in hex',
    role LowCardinality(String) COMMENT 'owner, analyst or manager',
    names Bool COMMENT 'Whether it reads names and e-mails',
    user_id String COMMENT 'Of a manager: id at the platform',
    created_at DateTime64(3, 'UTC') COMMENT 'When it was made',
    expires_at DateTime64(3, 'UTC') COMMENT 'From when it is refused',
    is_revoked Bool COMMENT 'Whether it was taken back',
    changed_at DateTime64(3, 'UTC') COMMENT 'When this was said',
    changed_by String COMMENT 'Who said it'
)
ENGINE = ReplacingMergeTree(changed_at)
ORDER BY id
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'API tokens of the dashboards';

CREATE TABLE IF NOT EXISTS rollcall.access_token_uses
(
    id String COMMENT 'Id of the token',
    used_at DateTime64(3, 'UTC') COMMENT 'When it was last used, to the minute'
)
ENGINE = ReplacingMergeTree(used_at)
ORDER BY id -- One row for each token after merges.
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'Last use of API tokens';

-- Sessions are sealed cookies; what ends one early stands here until it would have ended anyway.
CREATE TABLE IF NOT EXISTS rollcall.access_session_ends
(
    subject String COMMENT 'session:<id>, or login:<login> for every session of a person that began before',
    ended_at DateTime64(3, 'UTC') COMMENT 'From when'
)
ENGINE = ReplacingMergeTree(ended_at)
ORDER BY subject
TTL toDateTime(ended_at) + INTERVAL 31 DAY
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'Sessions of the dashboards that were ended';

-- Pages with filters that people saved under a name: the newest row of an id holds. Few rows, read whole.
CREATE TABLE IF NOT EXISTS rollcall.access_views
(
    id String COMMENT 'Random',
    login String COMMENT 'Whose it is; empty where nobody signs in',
    name String COMMENT 'As its owner called it',
    path String COMMENT 'The page',
    query String COMMENT 'Its filters, as in its address',
    is_offered Bool COMMENT 'Whether everybody who may open the page is offered it',
    is_removed Bool COMMENT 'Whether it was deleted',
    changed_at DateTime64(3, 'UTC') COMMENT 'When this was said'
)
ENGINE = ReplacingMergeTree(changed_at)
ORDER BY id
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'Saved views of the dashboards';

-- What the company aims at, set by owners: the newest row of a metric holds.
CREATE TABLE IF NOT EXISTS rollcall.access_targets
(
    metric LowCardinality(String) COMMENT 'completion_rate, on_time_rate or grading_turnaround',
    value UInt16 COMMENT 'Percent, of grading_turnaround days; 0 = no target',
    changed_at DateTime64(3, 'UTC') COMMENT 'When it was said',
    changed_by String COMMENT 'Login of the one who said so; empty where nobody signs in'
)
ENGINE = ReplacingMergeTree(changed_at)
ORDER BY metric
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'Targets of the company';

-- Notes on a day, shown on charts: the newest row of an id holds. Few rows, read whole.
CREATE TABLE IF NOT EXISTS rollcall.access_notes
(
    id String COMMENT 'Random',
    login String COMMENT 'Who wrote it; empty where nobody signs in; erased = a person whose data were erased',
    day Date32 COMMENT 'The day, of the reporting zone',
    team String COMMENT 'Those who see this team read it; empty = everybody does',
    text String COMMENT 'The note; empty once it was deleted',
    is_removed Bool COMMENT 'Whether it was deleted',
    changed_at DateTime64(3, 'UTC') COMMENT 'When this was said'
)
ENGINE = ReplacingMergeTree(changed_at)
ORDER BY id
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'Notes on days';

CREATE TABLE IF NOT EXISTS rollcall.access_audit
(
    at DateTime64(3, 'UTC') COMMENT 'When',
    login String COMMENT 'Who: a login, token:<id>, or empty where nobody signs in; erased = a person whose data were erased',
    action LowCardinality(String) COMMENT 'What was done, such as sign_in or export',
    detail String COMMENT 'Of what: a path with its filters, a role, an id; never a name',
    address String COMMENT 'Network address of the request; empty = from the command line',
    keep_until DateTime COMMENT 'When the row goes'
)
ENGINE = MergeTree
ORDER BY at -- Its only reader lists the newest.
TTL keep_until
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'Who signed in, exported and changed what';
