-- Building block. What METRICS.md calls "in scope at T", still signed: known at T, not deleted, the person active unless
-- leavers are asked for, and every filter; each with its facts at T packed in one number.
-- Filters: an empty list or a mask of 0 = not given; windows are days since 1970, 65535 = no such day, so that 0 to 65535
-- takes everything and anything narrower leaves out what is unknown.
CREATE OR REPLACE VIEW rollcall.scope_at AS
-- include scope-facts clock=as_of
COMMENT 'Signed states in scope (METRICS.md, In scope at T): as of an instant, after every filter; a building block'
