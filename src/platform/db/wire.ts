import utils from 'pg/lib/utils.js'

// The protocol counts parameters in 16 bits; pg would send the count's low bits.
const valuesMax = 65_535

/**
 * `values` as they are sent. A value that cannot be is refused here, before pg has seen the statement: pg would close
 * the prepared statement, believe it open, and fail with it ever after on that connection.
 * @throws TypeError for a value that does not serialize; RangeError for more than 65,535 values
 */
export function wireValues(values: readonly unknown[]): (string | Buffer | null)[] {
  if (values.length > valuesMax)
    throw new RangeError(`A statement takes at most ${valuesMax} values, not ${values.length}`)
  return values.map((value) => utils.prepareValue(value))
}
