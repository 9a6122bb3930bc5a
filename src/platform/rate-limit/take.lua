-- Decides about one request of KEYS[1], and counts it if it is accepted. The windows slide exactly, as in ring.ts.
--
-- ARGV: the ceilings per second and per minute ('' for none), and the time in microseconds ('' for this server's clock).
-- Answer, in microseconds: the wait until there is room (0: accepted), the requests left, the wait until that number
-- rises, and the time. Without any ceiling, the second and third are -1.
--
-- The key is a string: a header, then a ring of slots. The header has the time of the newest request, the number of
-- slots, the index of the oldest slot, and the number of used slots. A slot is 4 bytes: microseconds, modulo 2^32 (71
-- minutes), of a clock that does not move while the server's clock is set back.
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

-- The number of oldest requests that have left a window. The search doubles its steps, then halves them.
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

-- The time at which a window has room for one more request: when its `ceiling`-th newest request leaves it.
local function waitFor(ceiling, window)
  if not ceiling or count < ceiling then
    return 0
  end
  return math.max(0, window - age(count - ceiling))
end

local function save()
  redis.call('SETRANGE', key, 0, struct.pack('<dI4I4I4', newestAt, slots, first, count))
end

-- SET, because SETRANGE would reserve twice the needed bytes.
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
-- If the ceiling was lowered, the window has more requests than the ceiling. Then its oldest times free nothing when
-- they leave.
local resetAfter = window - age(math.max(left, count - ceiling))
return { wait, math.max(0, ceiling - (count - left)), resetAfter, now }
