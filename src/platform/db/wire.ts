import utils from 'pg/lib/utils.js'

// The protocol counts parameters in 16 bits. pg would send only the low bits of a larger count.
const valuesMax = 65_535

/**
 * Refuses invalid values before pg sees the statement. pg would close the prepared statement but still treat it as
 * open, so each later use would fail.
 * @throws TypeError for a value that does not serialize; RangeError for more than 65,535 values
 */
export function wireValues(values: readonly unknown[]): (string | Buffer | null)[] {
  if (values.length > valuesMax)
    throw new RangeError(`A statement takes at most ${valuesMax} values, not ${values.length}`)
  return values.map((value) => utils.prepareValue(value))
}
