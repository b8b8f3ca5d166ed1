-- Where do people stop?
SELECT
    count() AS assigned,
    countIf(viewed) AS have_viewed,
    countIf(started) AS have_started,
    countIf(submitted) AS have_submitted,
    countIf(graded) AS have_been_graded,
    countIf(passed) AS have_passed
FROM rollcall.assignments
