import { useState } from 'react'
import type { VoiceSettings } from '../../../../../sdk/src/generated/types.ts'
import { Button } from '../../../parts/button.tsx'
import { Checkbox, TextArea, TextField } from '../../../parts/field.tsx'
import { Form } from '../../../parts/form.tsx'
import { Note } from '../../../parts/note.tsx'
import { TheirChanges } from '../../../parts/their-changes.tsx'
import { typedNumber } from '../../../parts/typed-number.ts'
import type { Unsaved } from '../../../parts/unsaved.tsx'
import { useChanges } from '../../../parts/use-changes.ts'
import { useSubmit } from '../../../parts/use-submit.ts'
import { useScope } from '../../../shell/scope.tsx'

type Rules = Pick<
  VoiceSettings,
  'calling_hours' | 'concurrent_call_cap' | 'allow_premium' | 'ai_disclosure' | 'ai_disclosure_text'
>

const names: Record<keyof Rules, string> = {
  calling_hours: 'calling hours',
  concurrent_call_cap: 'number of calls at once',
  allow_premium: 'choice of premium numbers',
  ai_disclosure: 'first sentence',
  ai_disclosure_text: 'words of the first sentence',
}

const rulesOf = (settings: VoiceSettings): Rules => ({
  calling_hours: settings.calling_hours,
  concurrent_call_cap: settings.concurrent_call_cap,
  allow_premium: settings.allow_premium,
  ai_disclosure: settings.ai_disclosure,
  ai_disclosure_text: settings.ai_disclosure_text,
})

const usualHours = { start: '09:00', end: '18:00' }

/** When calls may be placed, how many at once, and what they begin with. */
export function RulesForm({
  settings,
  unsaved: { form: element, noteSaved },
  onSaved,
}: {
  settings: VoiceSettings
  unsaved: Pick<Unsaved, 'form' | 'noteSaved'>
  onSaved: (settings: VoiceSettings) => void
}) {
  const { api, can } = useScope()
  const [rules, setRules] = useState(() => rulesOf(settings))
  const [cap, setCap] = useState(String(settings.concurrent_call_cap))
  const set = (part: Partial<Rules>) => setRules((before) => ({ ...before, ...part }))
  const { theirs, save } = useChanges(settings, {
    settingsOf: rulesOf,
    names,
    others: null,
    read: () => api.voice.settings.get(),
    update: (_settings, changes, ifMatch) => api.voice.settings.update(changes, { ifMatch }),
  })
  const form = useSubmit(
    async () => {
      const text = rules.ai_disclosure_text?.trim() || null
      const next = { ...rules, concurrent_call_cap: typedNumber(cap), ai_disclosure_text: text }
      return (await save(next)) ? api.voice.settings.get() : null
    },
    {
      places: ['concurrent_call_cap', 'calling_hours', 'ai_disclosure_text'],
      onDone: (saved) => {
        if (!saved) return
        noteSaved()
        onSaved(saved)
      },
    },
  )
  const disabled = !can('voice:manage')
  const { calling_hours: hours } = rules
  return (
    <Form
      isBusy={form.isBusy}
      ref={element}
      className="stack g16"
      style={{ maxWidth: 480 }}
      onSubmit={form.submit}
    >
      <div className="stack">
        <Checkbox
          checked={hours !== null}
          onChange={(isLimited) => set({ calling_hours: isLimited ? usualHours : null })}
          disabled={disabled}
        >
          Call only in these hours <span className="three t12">by the clock of the person</span>
        </Checkbox>
        {hours && (
          <div className="rail wrap g16">
            <TextField
              label="From"
              type="time"
              value={hours.start}
              onChange={(start) => set({ calling_hours: { ...hours, start } })}
              disabled={disabled}
            />
            <TextField
              label="Until"
              type="time"
              value={hours.end}
              onChange={(end) => set({ calling_hours: { ...hours, end } })}
              disabled={disabled}
            />
          </div>
        )}
        {form.errorAt('calling_hours') && <Note kind="bad">{form.errorAt('calling_hours')}</Note>}
      </div>
      <TextField
        label="Most calls at once"
        inputMode="numeric"
        value={cap}
        onChange={setCap}
        error={form.errorAt('concurrent_call_cap')}
        hint="1 to 1,000."
        disabled={disabled}
        style={{ maxWidth: 120 }}
      />
      <Checkbox
        checked={rules.ai_disclosure}
        onChange={(ai_disclosure) => set({ ai_disclosure })}
        disabled={disabled}
      >
        Begin each call with a sentence that says that an AI is calling{' '}
        <span className="three t12">the law demands it in many places</span>
      </Checkbox>
      {rules.ai_disclosure && (
        <TextArea
          label="Your words for this sentence (optional)"
          rows={2}
          value={rules.ai_disclosure_text ?? ''}
          onChange={(ai_disclosure_text) => set({ ai_disclosure_text })}
          error={form.errorAt('ai_disclosure_text')}
          hint="Empty: the built-in sentence, in the language of the persona."
          disabled={disabled}
        />
      )}
      <Checkbox
        checked={rules.allow_premium}
        onChange={(allow_premium) => set({ allow_premium })}
        disabled={disabled}
      >
        Allow calls to premium-rate, shared-cost, pager and satellite numbers
      </Checkbox>
      <TheirChanges theirs={theirs} act="Save" />
      {form.rest && <Note kind="bad">{form.rest}</Note>}
      {!disabled && (
        <span>
          <Button type="submit" kind="main" isBusy={form.isBusy}>
            Save
          </Button>
        </span>
      )}
    </Form>
  )
}
