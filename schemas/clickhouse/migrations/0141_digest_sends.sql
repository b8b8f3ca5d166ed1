-- What was sent, step by step; never changed. The intent is written before the mail server is asked: after a crash it says
-- that the mail may have gone, so it is not sent again.
CREATE TABLE IF NOT EXISTS rollcall.digest_sends
(
    kind LowCardinality(String) COMMENT 'digest or alert, by e-mail; digest_channel or alert_channel, to a team channel',
    recipient String COMMENT 'Login of the person; channel = the team channel',
    period String COMMENT 'Of a digest the local date on which it was due; of an alert its name, number and state',
    claim String COMMENT 'One attempt of one process',
    step UInt8 COMMENT '1 = the intent, 2 = what became of it',
    at DateTime64(3, 'UTC') COMMENT 'When',
    state LowCardinality(String) COMMENT 'intended; sent, skipped (nothing to say), refused (by the mail server, for good), unknown (may have gone), not_sent (tried again later) or withdrawn (another process does it)',
    address String COMMENT 'E-mail address; empty for a channel',
    message_id String COMMENT 'Message-ID of the mail',
    covers_until DateTime64(3, 'UTC') COMMENT 'Moment of its numbers: the next digest begins there',
    detail String COMMENT 'What the server answered; never what was sent',
    keep_until DateTime COMMENT 'When the row goes'
)
ENGINE = ReplacingMergeTree(at)
ORDER BY (kind, recipient, period, claim, step)
TTL keep_until
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'Digests and alerts that were sent, or not, and why'
