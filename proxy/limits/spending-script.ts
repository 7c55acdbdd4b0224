// The script that adds to the sums that replicas share in Redis (spending.ts).
// - A process sends what it has added since the sum began, and not what is new. So what is sent again counts once, also when Redis
//   took it the first time and answered too late.
// - Only where Redis took it, answered too late and was empty before it answered this process again, it may count twice: once as
//   what another process knows, once as what is sent again. That is too much and never too little. To tell the two apart, each
//   answer would have to hold what every process of the month has added.
import { script } from '../redis/redis-client.ts';

/**
 * KEYS: the sums, then for each a hash of what each process has added to it. ARGV: the name of this process, then for each sum
 * what it has added and what of that it knows to be counted, the sum that it knows, and the milliseconds to keep it. Returns the
 * sums. A Redis that came back empty has no sums: the largest counts of what a process knows and what the processes have added
 * together.
 */
export const ADD = script(`
  local sums = {}
  local count = #KEYS / 2
  for each = 1, count do
    local counts = KEYS[each + count]
    local added, shared, known, keep = unpack(ARGV, each * 4 - 2, each * 4 + 1)
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
    sums[each] = string.format('%.3f', math.max(sum, tonumber(known)))
    redis.call('SET', KEYS[each], sums[each], 'PX', keep)
  end
  return sums
`);
