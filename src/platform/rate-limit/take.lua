-- Decides on one request of KEYS[1], and counts it if it is accepted: exact sliding windows, as in ring.ts.
--
-- ARGV: requests per second and per minute, '' where lifted; now in microseconds, '' for this server's own clock.
-- Answer, in microseconds: wait until there is room (0: accepted), requests left and wait until that rises (-1 and -1
-- where both windows are lifted), now.
--
-- The key is a string: a header (when the newest request came; how many slots there are, which is the oldest, how many
-- are in use), then a ring of slots. A slot is 4 bytes: the microseconds, modulo 2^32 (71 minutes), of a clock that
-- stands still while the server's clock is set back.
local second, minute, wrap = 1000000, 60000000, 4294967296
local headerBytes, slotBytes, fewestSlots, mostSlots = 20, 4, 8, 100000

local key = KEYS[1]
local perSecond, perMinute, now = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
if not now then
  local time = redis.call('TIME')
  now = time[1] * second + time[2]
end

local newestAt, slots, first, count = now, 0, 0, 0
local header = redis.call('GETRANGE', key, 0, headerBytes - 1)
if header ~= '' then
  newestAt, slots, first, count = struct.unpack('<dI4I4I4', header)
end

local function position(index)
  return headerBytes + slotBytes * ((first + index) % slots)
end

local function timeAt(index)
  local from = position(index)
  local time = struct.unpack('<I4', redis.call('GETRANGE', key, from, from + slotBytes - 1))
  return time
end

local clock = 0
if count > 0 then
  clock = (timeAt(count - 1) + math.max(0, now - newestAt)) % wrap
end

local function age(index)
  return (clock - timeAt(index)) % wrap
end

-- How many of the oldest have left a window: in steps that double, then halve.
local function gone(window)
  local found, step = 0, 1
  local function jump()
    if found + step > count or age(found + step - 1) < window then
      return false
    end
    found = found + step
    return true
  end
  while jump() do
    step = step * 2
  end
  while step > 1 do
    step = step / 2
    jump()
  end
  return found
end

local function drop(oldest)
  first = (first + oldest) % slots
  count = count - oldest
end

-- When a window has room for one more request: once the `ceiling`-th newest has left it.
local function waitFor(ceiling, window)
  if not ceiling or count < ceiling then
    return 0
  end
  return math.max(0, window - age(count - ceiling))
end

local function save()
  redis.call('SETRANGE', key, 0, struct.pack('<dI4I4I4', newestAt, slots, first, count))
end

-- SET, since SETRANGE would reserve twice the bytes that it needs.
local function grow()
  local wanted = math.min(math.max(fewestSlots, slots * 2), mostSlots)
  local times = ''
  if slots > 0 then
    local begin = position(0)
    times = redis.call('GETRANGE', key, begin, -1) .. redis.call('GETRANGE', key, headerBytes, begin - 1)
  end
  redis.call('SET', key, string.rep('\0', headerBytes) .. times .. string.rep('\0', (wanted - slots) * slotBytes))
  first, slots = 0, wanted
end

local function accept()
  if count == slots then
    if slots < mostSlots then
      grow()
    else
      drop(1)
    end
  end
  redis.call('SETRANGE', key, position(count), struct.pack('<I4', clock))
  count, newestAt = count + 1, now
  save()
  redis.call('PEXPIRE', key, minute / 1000)
end

if now - newestAt >= minute then
  count = 0
elseif count > 0 then
  drop(gone(minute))
end
local wait = math.max(waitFor(perSecond, second), waitFor(perMinute, minute))
if wait == 0 then
  accept()
elseif now < newestAt then
  newestAt = now
  save()
end

local ceiling, window, left = perMinute, minute, 0
if not perMinute then
  ceiling, window, left = perSecond, second, gone(second)
end
if not ceiling then
  return { wait, -1, -1, now }
end
-- After a ceiling went down, the window holds more than the ceiling, and its oldest times free nothing.
local resetAfter = window - age(math.max(left, count - ceiling))
return { wait, math.max(0, ceiling - (count - left)), resetAfter, now }
