-- Digests and alerts.

-- How people get their digest: the newest row of a login holds. Managers get one without a row, as configured.
CREATE TABLE IF NOT EXISTS rollcall.digest_subscriptions
(
    login String COMMENT 'Who, as at sign-in',
    email String COMMENT 'Where it goes, as the sign-in said it; empty = the login, where it is an e-mail',
    frequency LowCardinality(String) COMMENT 'daily, weekly or off; empty = not chosen',
    weekday UInt8 COMMENT 'Of a weekly one: 1 = Monday to 7 = Sunday',
    hour UInt8 COMMENT 'From this hour on, in the zone: 0 to 23',
    time_zone String COMMENT 'Zone of the tz database; empty = the reporting zone',
    language LowCardinality(String) COMMENT 'Language of the words, such as en',
    alerts Bool COMMENT 'Whether an owner gets alerts of Health',
    unsubscribe_key String COMMENT 'What the link in the mails of this person carries: it can switch them off, and nothing else',
    role LowCardinality(String) COMMENT 'Role by the groups of the sign-in provider, as last seen; empty = none',
    user_id String COMMENT 'Id at the platform as the sign-in said it; empty = found by e-mail',
    seen_at DateTime64(3, 'UTC') COMMENT 'When they were last here; a role by groups is believed for some time after',
    changed_at DateTime64(3, 'UTC') COMMENT 'When this was written'
)
ENGINE = ReplacingMergeTree(changed_at)
ORDER BY login
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'Who gets a digest by e-mail, when and where';

-- What was sent, step by step; never changed. The intent is written before the mail server is asked: after a crash it says
-- that the mail may have gone, so it is not sent again.
CREATE TABLE IF NOT EXISTS rollcall.digest_sends
(
    kind LowCardinality(String) COMMENT 'digest, alert or reminder, by e-mail; digest_channel, alert_channel or reminder_channel, to a team channel',
    recipient String COMMENT 'Login of the person; of a reminder the id of the person at the platform; channel = the team channel',
    period String COMMENT 'Of a digest the local date on which it was due, of a reminder the one on which it was asked for; of an alert its name, number and state',
    claim String COMMENT 'One attempt of one process',
    step UInt8 COMMENT '1 = the intent, 2 = what became of it',
    at DateTime64(3, 'UTC') COMMENT 'When',
    state LowCardinality(String) COMMENT 'intended; sent, skipped (nothing to say), refused (for good: by the mail server, or because no person at the platform has this e-mail), unknown (may have gone), not_sent (tried again later) or withdrawn (another process does it)',
    address String COMMENT 'E-mail address; empty for a channel and for a reminder',
    message_id String COMMENT 'Message-ID of the mail',
    covers_until DateTime64(3, 'UTC') COMMENT 'Moment of its numbers: the next digest begins there',
    detail String COMMENT 'What the server answered; never what was sent',
    keep_until DateTime COMMENT 'When the row goes'
)
ENGINE = ReplacingMergeTree(at)
ORDER BY (kind, recipient, period, claim, step)
TTL keep_until
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'Digests and alerts that were sent, or not, and why';

-- Who was to be reminded of what is overdue: never changed. Of two that were asked for at the same
-- moment both stay, so that the link in either mail goes on to work. What became of them is in digest_sends.
CREATE TABLE IF NOT EXISTS rollcall.digest_reminders
(
    user_id String COMMENT 'Id of the person at the platform',
    day String COMMENT 'Local date on which it was asked for',
    asked_by String COMMENT 'Login of the one who asked; erased = a person whose data were erased',
    asked_at DateTime64(3, 'UTC') COMMENT 'When',
    language LowCardinality(String) COMMENT 'Language in which the one who asked reads, such as en',
    assignments Array(String) COMMENT 'Ids of what was overdue then',
    unsubscribe_key String COMMENT 'What the link in the mail carries: it can switch off reminders to this person, and nothing else',
    keep_until DateTime COMMENT 'When the row goes'
)
ENGINE = ReplacingMergeTree(asked_at)
ORDER BY (user_id, day, unsubscribe_key)
TTL keep_until
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'Reminders that owners and managers asked for';

CREATE TABLE IF NOT EXISTS rollcall.digest_opt_outs
(
    user_id String COMMENT 'Id of the person at the platform',
    is_out Bool COMMENT 'Whether the person wants none; false: wants them again',
    said_at DateTime64(3, 'UTC') COMMENT 'When the person said so'
)
ENGINE = ReplacingMergeTree(said_at)
ORDER BY user_id
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'People who want no reminders by mail';

-- When something began to be wrong and when it ended: one row for each change. Two processes that see the same write the same.
CREATE TABLE IF NOT EXISTS rollcall.alert_states
(
    alert LowCardinality(String) COMMENT 'stall, silence, ledger, failed_events or times',
    number UInt32 COMMENT 'Counts the changes of this alert, from 1: odd ones begin, even ones end',
    state LowCardinality(String) COMMENT 'started or ended',
    at DateTime64(3, 'UTC') COMMENT 'When it was noticed',
    detail String COMMENT 'What was seen, in words; never a name',
    translations Map(String, String) COMMENT 'The same as detail in the other languages of mails, by language'
)
ENGINE = ReplacingMergeTree(at)
ORDER BY (alert, number)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'Alerts of Health: what began and what ended';
