import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { CrosswalkError } from '../../../../sdk/src/errors.ts'
import type { PlaceCall } from '../../../../sdk/src/generated/types.ts'
import { failureOf, isUncertain, newKey } from '../../api/requests.ts'
import { Select, TextArea, TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Note } from '../../parts/note.tsx'
import { phoneWords } from '../../parts/phone-number.ts'
import { now } from '../../parts/times.ts'
import { showToast } from '../../parts/toast.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { personasQuery } from '../../queries/personas.ts'
import { numbersQuery } from '../../queries/voice-numbers.ts'
import { voiceSettingsQuery } from '../../queries/voice-settings.ts'
import { useScope } from '../../shell/scope.tsx'
import { AddNumber } from './add-number.tsx'
import { Checks } from './checks.tsx'
import { Refused, wrongNumber } from './refused.tsx'
import type { Uncertain } from './uncertain-call.tsx'

const places = ['to_number', 'timezone', 'instructions']

/** A call that the server checked, without calling anybody. */
type Checked = { body: PlaceCall; key: string }

/**
 * Places a call. The first button only checks it, and calls nobody. After a change, the call is checked again.
 * @param number the number that the person chose elsewhere; the empty text: none
 */
export function PlaceDialog({
  number,
  onClose,
  onPlaced,
  onUncertain,
}: {
  number: string
  onClose: () => void
  onPlaced: () => void
  onUncertain: (uncertain: Uncertain) => void
}) {
  const scope = useScope()
  const { api, can } = scope
  const personas = useQuery({ ...personasQuery(scope), enabled: can('personas:read') })
  const settings = useQuery(voiceSettingsQuery(scope))
  const numbers = useQuery(numbersQuery(scope))
  const [to, setTo] = useState(number)
  const [from, setFrom] = useState<string | null>(null)
  const [personaId, setPersonaId] = useState<string | null>(null)
  const [instructions, setInstructions] = useState('')
  const [ownZone] = useState(() => Intl.DateTimeFormat().resolvedOptions().timeZone)
  const [timezone, setTimezone] = useState(ownZone)
  const [checked, setChecked] = useState<Checked | null>(null)
  const edits = useRef(0)
  const hours = settings.data?.calling_hours ?? null
  const speaker = personaId ?? personas.data?.find(({ status }) => status === 'active')?.persona_id ?? ''
  const caller = from ?? numbers.data?.[0]?.number ?? null
  const body: PlaceCall = {
    to_number: to.trim(),
    ...(caller !== null && { from_number: caller }),
    ...(speaker && { persona_id: speaker }),
    ...(instructions.trim() && { instructions }),
    ...(hours && { timezone: timezone.trim() }),
  }
  const check = useSubmit(
    async () => {
      const asked = edits.current
      const { to_number } = await api.voice.calls.place({ ...body, dry_run: true })
      // What the person changed meanwhile is not checked.
      if (edits.current !== asked) return
      const key = newKey()
      // The list of calls finds the call by its key, even if the answer is lost.
      setChecked({ key, body: { ...body, to_number: to_number ?? to, metadata: { console_key: key } } })
    },
    { places },
  )
  const place = useSubmit(
    async () => {
      if (!checked) return
      const since = now()
      try {
        await api.voice.calls.place(checked.body, { idempotencyKey: checked.key })
        showToast(`${phoneWords(checked.body.to_number)} is being called.`)
        onPlaced()
      } catch (error) {
        if (!(error instanceof CrosswalkError && isUncertain(failureOf(error)))) throw error
        onUncertain({ ...checked, since })
      }
    },
    { places },
  )
  const edit = (change: () => void) => {
    edits.current += 1
    change()
    setChecked(null)
  }
  const errorAt = (at: string) => place.errorAt(at) ?? check.errorAt(at)
  const form = checked ? place : check
  const aboutNumber = errorAt('to_number') ?? wrongNumber(form.error, form.rest)
  return (
    <Loaded query={numbers}>
      {(own) =>
        own.length === 0 ? (
          <AddNumber onClose={onClose} onAdded={() => void numbers.refetch()} />
        ) : (
          <FormDialog
            title="Place a call"
            act={checked ? `Call ${phoneWords(checked.body.to_number)}` : 'Check'}
            {...(checked && { icon: 'phone' as const })}
            form={{ ...form, rest: null }}
            // A check before they are read would be of another call than the dialog shows.
            isBlocked={personas.isLoading || settings.isLoading}
            onClose={onClose}
          >
            <TextField
              label="Number to call"
              type="tel"
              value={to}
              onChange={(value) => edit(() => setTo(value))}
              error={aboutNumber}
              placeholder="+1 202 555 0100"
              autoComplete="off"
              autoFocus
            />
            {own.length > 1 && (
              <Select
                label="Calls from"
                value={caller ?? ''}
                options={own.map(({ number, label }) => [
                  number,
                  label === null ? phoneWords(number) : `${phoneWords(number)}, ${label}`,
                ])}
                onChange={(value) => edit(() => setFrom(value))}
              />
            )}
            {personas.data && (
              <Select
                label="Persona"
                value={speaker}
                options={[
                  ...personas.data.map(
                    ({ persona_id, name, status }) =>
                      [persona_id, status === 'draft' ? `${name}, still a draft` : name] as const,
                  ),
                  ['', 'No persona'],
                ]}
                onChange={(value) => edit(() => setPersonaId(value))}
              />
            )}
            <TextArea
              label="What to say on this call (optional)"
              rows={3}
              value={instructions}
              onChange={(value) => edit(() => setInstructions(value))}
              error={errorAt('instructions')}
              placeholder="Confirm the appointment for tomorrow at ten."
            />
            {hours && (
              <TextField
                label="Time zone of the person"
                value={timezone}
                onChange={(value) => edit(() => setTimezone(value))}
                error={errorAt('timezone')}
                hint={`You call from ${hours.start} to ${hours.end}, by the clock of the person.${timezone === ownZone ? ' This is the time zone of your computer: change it if the person is elsewhere.' : ''}`}
              />
            )}
            <div role="status" className="stack">
              {checked && settings.data && <Checks body={checked.body} settings={settings.data} />}
            </div>
            {form.rest && aboutNumber === null && (
              <Note kind="bad">
                <Refused error={form.error} text={form.rest} number={to} />
              </Note>
            )}
          </FormDialog>
        )
      }
    </Loaded>
  )
}
