-- The scope of a question, narrowed to one part of one of its numbers (reporting/scope/part-filter.ts). `units`: what the row adds to that
-- number, which is 1 except where an assignment can count twice.
FROM
(
    SELECT
        *,
        -- Overdue is what remains of a span in which the learner had to act after its late from, as in statements/blocks.ts. -- if part_spans
        arrayFilter(span -> span.1 < span.2 AND span.1 <= toUnixTimestamp64Milli({as_of:DateTime64(3, 'UTC')}), arrayMap(span -> ( -- if part_spans
            greatest(span.1, if({due_end:String} = 'instant', span.3 + 1, toUnixTimestamp64Milli(toDateTime64(toDate(fromUnixTimestamp64Milli(span.3), {due_zone:String}) + 1, 3, {due_zone:String})))), -- if part_spans
            span.2 -- if part_spans
        ), due_spans)) AS overdue_spans, -- if part_spans
        -- Where one span begins exactly when the one before ends, that is one turn and not two. -- if part_turned
        arrayCount((span, before) -> before.2 != span.1 AND toUInt16(toDate(fromUnixTimestamp64Milli(span.1), {time_zone:String})) BETWEEN {part_from:UInt16} AND {part_to:UInt16}, overdue_spans, arrayShiftRight(overdue_spans, 1, (0::Int64, 0::Int64))) AS units -- if part_turned
        1 AS units -- unless part_turned
    -- include scope-at
)
WHERE true
    AND arrayExists((mask, value) -> bitAnd(facts, mask) = value, {part_masks:Array(UInt64)}, {part_values:Array(UInt64)}) -- if part
    AND created_day BETWEEN {part_from:UInt16} AND {part_to:UInt16} -- if part_created
    AND completed_day BETWEEN {part_from:UInt16} AND {part_to:UInt16} AND completed_at <= {as_of:DateTime64(3, 'UTC')} -- if part_completed
    AND toUInt16(toDate(first_graded_at, {time_zone:String})) BETWEEN {part_from:UInt16} AND {part_to:UInt16} -- if part_graded
    AND units > 0 -- if part_turned
    AND arrayExists(span -> toUInt16(toDate(fromUnixTimestamp64Milli(span.1), {time_zone:String})) <= {part_to:UInt16} AND (span.2 > toUnixTimestamp64Milli({as_of:DateTime64(3, 'UTC')}) OR toUInt16(toDate(fromUnixTimestamp64Milli(span.2), {time_zone:String})) > {part_to:UInt16}), overdue_spans) -- if part_at_end
    AND least(greatest(floor(grade / 10), 0), 9) = {part_bin:UInt8} -- if part_bin
