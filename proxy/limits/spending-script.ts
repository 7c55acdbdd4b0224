// The script that adds to the sums that replicas share in Redis, and holds what they have under way (spending-holds.ts).
// - A process sends all that it has added since the sum began, not only what is new. So an amount that is sent twice counts once,
//   also when Redis took it the first time and answered too late.
// - An amount counts twice only when Redis took it, answered too late, and lost its data before it answered this process again:
//   once in the sum that another process knows, once in what is sent again. That is too much and never too little. To tell the two
//   apart, each answer would have to hold what every process of the month has added.
// - What a process holds becomes free when it sends nothing for a minute. The time of its streams counts until the process says
//   how they ended: they were made, and a process that was killed ends no session.
import { script } from '../redis/redis-client.ts';

/**
 * KEYS: the sums, then for each a hash of what each process has added to it, then for each a hash of what each process holds.
 * ARGV: the name of this process, then for each sum
 * - what it has added and what of that it knows to be counted, the sum that it knows, and the milliseconds to keep it;
 * - the cap (-1: none), what it expects of texts and requests under way, the time of its open streams;
 * - how much it may begin before the answer; how much all texts that wait for room need, and how much the last of them needs. The
 *   last one may go over the cap when nothing is under way.
 * Returns for each sum the sum, what this process holds and the streams of the others. A Redis that came back empty has no sums:
 * the largest counts of what a process knows and what the processes have added together.
 */
export const SHARE = script(`
  local answers = {}
  local count = #KEYS / 3
  local now = tonumber(redis.call('TIME')[1])
  for each = 1, count do
    local counts, holds = KEYS[each + count], KEYS[each + 2 * count]
    local first = each * 10 - 8
    local added, shared, known, keep = unpack(ARGV, first, first + 3)
    local own = redis.call('HGET', counts, ARGV[1])
    local counted = math.max(tonumber(own or '0'), tonumber(shared))
    local sum = tonumber(redis.call('GET', KEYS[each]) or '0') + math.max(tonumber(added) - counted, 0)
    if not own or tonumber(added) > tonumber(own) then
      redis.call('HSET', counts, ARGV[1], added)
      redis.call('PEXPIRE', counts, keep)
    end
    if not own then
      local together = 0
      for _, value in ipairs(redis.call('HVALS', counts)) do together = together + tonumber(value) end
      sum = math.max(sum, together)
    end
    sum = math.max(sum, tonumber(known))
    local text = string.format('%.3f', sum)
    redis.call('SET', KEYS[each], text, 'PX', keep)

    local cap, expected, streamed, kept, asked, last = unpack(ARGV, first + 4, first + 9)
    local held, elsewhere = 0, 0
    if tonumber(cap) >= 0 then
      local used = tonumber(expected) + tonumber(streamed)
      local left, busy = tonumber(cap) - sum - used, 0
      local all = redis.call('HGETALL', holds)
      for at = 1, #all, 2 do
        local amount, needed, streams, ends = string.match(all[at + 1], '^(%S+) (%S+) (%S+) (%S+)$')
        local isOver = tonumber(ends) <= now
        if isOver and tonumber(streams) == 0 then
          redis.call('HDEL', holds, all[at])
        elseif all[at] ~= ARGV[1] then
          left = left - tonumber(isOver and streams or amount)
          busy = busy + (isOver and 0 or tonumber(needed))
          elsewhere = elsewhere + tonumber(streams)
        end
      end
      local given, isAlone = 0, busy + tonumber(expected) == 0
      if tonumber(asked) <= left then
        given = tonumber(asked)
      elseif tonumber(last) <= left or (left > 0 and isAlone) then
        given = tonumber(last)
      end
      held = used + math.max(tonumber(kept), left / 8, given)
      local needed = tonumber(expected) + given
      local value = string.format('%.3f %.3f %.3f %d', held, needed, streamed, now + 60)
      redis.call('HSET', holds, ARGV[1], value)
      redis.call('PEXPIRE', holds, keep)
    end
    answers[each] = string.format('%s %.3f %.3f', text, held, elsewhere)
  end
  return answers
`);
