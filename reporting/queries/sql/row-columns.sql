    assignment.1 AS assignment_id,
    assignment.2 AS user_id,
    person.name AS user_name, -- if named
    '' AS user_name, -- unless named
    arrayMap(id -> (id, transform(id, team_names.1, team_names.2, id)), person.teams) AS teams,
    line.managers AS managers,
    assignment.3 AS challenge_id,
    title.name AS challenge,
    assignment.4 AS status,
    assignment.5 AS facts,
    assignment.6 AS life,
    assignment.7 AS times,
    assignment.8 AS due_day,
    assignment.9 AS days_after_due,
    assignment.10 AS grade,
    assignment.11 AS completion_percentage,
    assignment.12 AS num_days_overdue,
    row_key
