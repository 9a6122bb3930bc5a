// Values that programs send by mistake for everybody. As an id, such a value would join many people into one visitor.
// Source: PostHog's list of illegal distinct ids; Segment's blocked identifiers (zeroes and dashes).
const inAnyCase = new Set([
  ...['anonymous', 'guest', 'distinctid', 'distinct_id', 'id', 'not_authenticated', 'email', 'undefined'],
  ...['true', 'false'],
])
const exactly = new Set(['[object Object]', 'NaN', 'None', 'none', 'null', '0', 'undefined'])
const zeroesAndDashes = /^[0-]+$/
const quoted = /^(['"])(.*)\1$/s

/** Returns whether an id, without space around it, is a value that many people would share. */
export function isIllegalId(id: string): boolean {
  const bare = quoted.exec(id)?.[2]?.trim() ?? id
  return bare === '' || exactly.has(bare) || inAnyCase.has(bare.toLowerCase()) || zeroesAndDashes.test(bare)
}
