import { dayText, utcText } from '../../parts/days.ts'
import { Select, TextField } from '../../parts/field.tsx'
import { relativeDay, relativeUnits, relativeWords } from './words.ts'

/** A relative day whose number may be missing or wrong, because a person still types it. */
const typedDay = /^([+-])(.*)([dwmy])$/

const notWhole = 'Type a whole number with at most 4 digits, such as 30.'

/** The relative day that the API expects; null: the text is none yet; undefined: the text is another kind of day. */
export function readRelativeDay(text: string): string | null | undefined {
  if (relativeDay.test(text)) return text
  return typedDay.test(text) ? null : undefined
}

/** Chooses the day of a filter: a date, or a day that depends on today. */
export function DayOperand({
  type,
  text,
  onChange,
}: {
  type: 'time' | 'date' | 'datetime'
  text: string
  onChange: (text: string) => void
}) {
  const [, sign, number = '', unit] = typedDay.exec(text) ?? []
  const chosen = sign && unit ? `${sign}${unit}` : text === 'today' ? 'today' : ''
  // The API sets these times, so none of them is in the future.
  const signs = type === 'time' && sign !== '+' ? ['-'] : ['-', '+']
  const relative = signs.flatMap((one) =>
    Object.keys(relativeUnits).map((each) => [`${one}${each}`, relativeWords(one, each)] as const),
  )
  return (
    <>
      <Select
        label="Compare with"
        value={chosen}
        options={[['', 'a date'], ['today', 'today'], ...relative]}
        hint={chosen !== '' && type !== 'date' ? 'Days begin at midnight UTC.' : undefined}
        onChange={(next) => onChange(next.length === 2 ? `${next[0]}${number}${next[1]}` : next)}
      />
      {sign && unit ? (
        <TextField
          label={`How many ${relativeWords(sign, unit)}`}
          value={number}
          inputMode="numeric"
          autoComplete="off"
          error={number !== '' && readRelativeDay(text) === null ? notWhole : null}
          onChange={(next) => onChange(`${sign}${next.trim()}${unit}`)}
        />
      ) : (
        chosen === '' && (
          <TextField
            label="Day"
            type="date"
            value={type === 'date' ? text : dayOfTime(type, text)}
            onChange={(day) => onChange(day === '' || type === 'date' ? day : timeOfDay(type, day))}
          />
        )
      )}
    </>
  )
}

/** The day of a time of a filter, in the time zone of this computer; empty: it is no time. */
function dayOfTime(type: 'time' | 'datetime', text: string): string {
  const time = new Date(type === 'time' ? Number(text) * 1000 : text)
  return text === '' || Number.isNaN(time.getTime()) ? '' : dayText(time)
}

/** The beginning of a day in the time zone of this computer: Unix seconds, or for a defined field a text. */
function timeOfDay(type: 'time' | 'datetime', day: string): string {
  const time = new Date(`${day}T00:00`)
  return type === 'time' ? String(time.getTime() / 1000) : utcText(time)
}
