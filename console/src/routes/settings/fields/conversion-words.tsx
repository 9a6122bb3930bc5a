import type { FieldConversion } from '../../../../../sdk/src/generated/types.ts'
import { count } from '../../../parts/numbers.ts'

/** Says how far the conversion of values is, and how many values did not fit. The number stays if people change them. */
export function ConversionWords({ state, records, converted, unfit }: FieldConversion) {
  if (state === 'running')
    return (
      <span className="three">
        {' '}
        · converting {count(converted)} of {count(records)}
      </span>
    )
  if (state === 'failed') return <span className="bad"> · conversion failed</span>
  if (unfit === 0) return null
  return <span className="three"> · {unfit === 1 ? '1 value' : `${count(unfit)} values`} did not fit</span>
}
