import { useQuery } from '@tanstack/react-query'
import { Button } from '../../parts/button.tsx'
import { Choices } from '../../parts/choices.tsx'
import { Select, TextArea, TextField } from '../../parts/field.tsx'
import { Note } from '../../parts/note.tsx'
import { phoneWords } from '../../parts/phone-number.ts'
import { withChosen } from '../../parts/with-chosen.ts'
import { personasQuery } from '../../queries/personas.ts'
import { numbersQuery } from '../../queries/voice-numbers.ts'
import { useScope } from '../../shell/scope.tsx'
import { CountryList } from './country-list.tsx'
import type { DraftCalls } from './draft-calls.ts'

const ways = [
  { value: 'off', name: 'Nobody is called', about: 'The form only stores what people send.' },
  {
    value: 'manual',
    name: 'After approval',
    about: 'Each request waits at Calls → Requests until a member calls or declines.',
  },
  {
    value: 'automatic',
    name: 'Automatically',
    about: 'Crosswalk calls within the hours and limits. Doubtful requests wait for a member.',
  },
] as const

const places = ['countries', 'hours', 'persona_id', 'from_number', 'instructions', 'daily_limit']

/** Whether a form calls the people who send it, and how. */
export function CallSettings({
  calls,
  errorAt,
  onChange,
  onAsk,
}: {
  calls: DraftCalls
  /** @param member the empty text: all of the settings */
  errorAt: (member: string) => string | null
  onChange: (part: Partial<DraftCalls>) => void
  /** Adds a phone number and a consent to the form; null: it asks for both. */
  onAsk: (() => void) | null
}) {
  const { can } = useScope()
  if (!can('voice:write'))
    return (
      <>
        <p className="two">Only members who may place calls can change whether a form calls people.</p>
        {errorAt('') && <Note kind="bad">{errorAt('')}</Note>}
      </>
    )
  const hasPlace = places.some((place) => errorAt(place) !== null)
  return (
    <>
      <Choices
        label="Calls to people who send the form"
        value={calls.approval}
        options={ways}
        onChange={(approval) => onChange({ approval })}
      />
      {calls.approval !== 'off' && onAsk && (
        <Note kind="warn">
          <div className="stack">
            <p>The form must ask for one phone number and for a consent to calls. Both must be required.</p>
            <div>
              <Button onClick={onAsk}>Add them</Button>
            </div>
          </div>
        </Note>
      )}
      {!hasPlace && errorAt('') && <Note kind="bad">{errorAt('')}</Note>}
      {calls.approval !== 'off' && <CallFields calls={calls} errorAt={errorAt} onChange={onChange} />}
    </>
  )
}

function CallFields({
  calls,
  errorAt,
  onChange,
}: {
  calls: DraftCalls
  errorAt: (member: string) => string | null
  onChange: (part: Partial<DraftCalls>) => void
}) {
  const scope = useScope()
  const personas = useQuery({ ...personasQuery(scope), enabled: scope.can('personas:read') })
  const numbers = useQuery(numbersQuery(scope))
  const personaOptions = personas.data?.map(({ persona_id, name }) => [persona_id, name] as const)
  const numberOptions = numbers.data?.map(
    ({ number, label }) =>
      [number, label === null ? phoneWords(number) : `${phoneWords(number)}, ${label}`] as const,
  )
  return (
    <>
      <CountryList
        codes={calls.countries}
        onChange={(countries) => onChange({ countries })}
        error={errorAt('countries')}
      />
      <div className="rail wrap g16">
        <TextField
          label="Calls from"
          type="time"
          value={calls.start}
          onChange={(start) => onChange({ start })}
        />
        <TextField label="Calls until" type="time" value={calls.end} onChange={(end) => onChange({ end })} />
        {calls.approval === 'automatic' && (
          <TextField
            label="Calls in 24 hours"
            inputMode="numeric"
            value={calls.dailyLimit}
            onChange={(dailyLimit) => onChange({ dailyLimit })}
            error={errorAt('daily_limit')}
            style={{ maxWidth: 120 }}
          />
        )}
      </div>
      {errorAt('hours') && <Note kind="bad">{errorAt('hours')}</Note>}
      <p className="two t12">
        By the clock of the person. The hours must be open in every time zone of the country of the number.
      </p>
      <div className="rail wrap g16">
        <Select
          label="Persona"
          value={calls.personaId}
          options={optionsOf('No persona', personaOptions, calls.personaId)}
          onChange={(personaId) => onChange({ personaId })}
          error={errorAt('persona_id')}
        />
        <Select
          label="Number that calls"
          value={calls.fromNumber}
          options={optionsOf('Your only number', numberOptions, calls.fromNumber)}
          onChange={(fromNumber) => onChange({ fromNumber })}
          error={errorAt('from_number')}
          hint={numbers.data?.length === 0 ? 'You have none. Add one at Settings → Voice.' : undefined}
        />
      </div>
      <TextArea
        label="What to say on these calls (optional)"
        rows={3}
        value={calls.instructions}
        onChange={(instructions) => onChange({ instructions })}
        error={errorAt('instructions')}
        placeholder="Ask what they need, and offer a demo."
        hint="The agent first asks whether the person asked for the call. It gets no answers of the form."
      />
    </>
  )
}

/** The options, even with a chosen value that was archived or removed meanwhile. `found` is undefined while it loads. */
function optionsOf(
  none: string,
  found: readonly (readonly [string, string])[] | undefined,
  chosen: string,
): readonly (readonly [string, string])[] {
  return withChosen([['', none], ...(found ?? [])], chosen, found ? 'No longer usable' : 'Loading …')
}
