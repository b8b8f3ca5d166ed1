-- Load for wrk: bodies of 1 KB, each of the specification's shape, made before the clock starts. With a second argument,
-- each connection waits a random time around that many milliseconds before every request: a load below the highest.
local requests, next_request, mean_delay

local body = '{"eventType":"assignmentProgress.challenge","timestamp":%d,"user":{"id":%d,"name":"Learner %d",' ..
  '"email":"learner%d@example.com","isAdmin":false,"isDeleted":false,"groups":[{"id":"g-%d","name":"Team %d"}],' ..
  '"managers":[{"id":%d,"name":"Manager","email":"manager@example.com"}],"customAttributes":[]},' ..
  '"challenge":{"id":"6c1f7f0e-0000-4000-8000-%012d","displayTitle":"Pitch the new product"},' ..
  '"challengeAssignment":{"id":"9b2d7c1a-0000-4000-8000-%012d","challengeId":"6c1f7f0e-0000-4000-8000-%012d",' ..
  '"calculatedGrade":0,"completionPercentage":%d,"numDaysOverdue":null,"status":"in_progress","isCompleted":false,' ..
  '"isCompletedOnTime":false,"isFullyGraded":false,"isOverdue":false,"isPartiallyGraded":false,"isSubmitted":false,' ..
  '"passed":false,"completedAt":null,"createdAt":1760000000000,"dueDate":1790000000000,"firstViewedAt":1760000100000,' ..
  '"lastViewedAt":1760000200000,"reviewersDueDate":null,"updatedAt":1760000300000}}'

function init(args)
  math.randomseed(os.time())
  mean_delay = tonumber(args[1])
  requests = {}
  next_request = 0
  for i = 1, 2000 do
    local user, challenge = math.random(1, 50000), math.random(1, 500)
    local text = string.format(body, 1760000300000 + math.random(1, 1000000000), user, user, user, user % 50, user % 50,
      user % 500, challenge, math.random(1, 999999999), challenge, math.random(0, 100))
    requests[i] = wrk.format('POST', nil, { ['Content-Type'] = 'application/json' }, text)
  end
end

function request()
  next_request = next_request % #requests + 1
  return requests[next_request]
end

if delay == nil then
  function delay()
    if mean_delay == nil or mean_delay == 0 then return 0 end
    return math.floor(mean_delay * 2 * math.random() + 0.5)
  end
end
