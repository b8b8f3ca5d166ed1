-- Who asked that which people be given which guide. Written once, before anything is done; a repeat is the same row.
CREATE TABLE IF NOT EXISTS rollcall.guide_order_rows
(
    order_id String COMMENT 'Id of the order, made where it was previewed: confirming twice is one order',
    asked_at DateTime64(3, 'UTC') COMMENT 'When it was confirmed',
    asked_by String COMMENT 'Who says to have asked, as entered; empty = not said',
    reason String COMMENT 'From which list the people come: the filters, or words',
    guide_id String COMMENT 'Id of the guide',
    guide_title String COMMENT 'Its title at that time',
    user_ids Array(String) COMMENT 'Ids of the people, sorted',
    due_date DateTime64(3, 'UTC') COMMENT 'When it shall be due; the epoch = no due date',
    again Bool COMMENT 'Also to those who have completed the guide before'
)
ENGINE = ReplacingMergeTree(asked_at)
ORDER BY order_id
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'Orders to assign a guide to people'
