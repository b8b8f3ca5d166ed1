-- Only the list of changes says it; where nothing does, an assignment that is gone is just no longer seen.
ALTER TABLE rollcall.guide_assignment_rows
    ADD COLUMN IF NOT EXISTS is_deleted Bool DEFAULT false COMMENT 'Deleted' AFTER is_archived
