import type { CreateForm } from '../../../../sdk/src/generated/types.ts'
import { answerTypes } from './words.ts'

/** What people see in a form, in plain text. Nothing can be typed into it. */
export function Preview({ definition }: { definition: Omit<CreateForm, 'status' | 'name'> }) {
  const { title, description, fields, consent, submit_label } = definition
  return (
    <div className="stack g8" inert>
      <p className="t16">{title}</p>
      {description && <p className="two">{description}</p>}
      {fields.map(({ key, label, type, required, options, hint }) => (
        <div key={key} className="stack g4">
          <p>
            {label} {!required && <span className="three">(optional)</span>}
          </p>
          <p className="three t12">{shapeOf(type ?? 'text', options ?? [])}</p>
          {hint && <p className="three t12">{hint}</p>}
        </div>
      ))}
      {consent && <p className="two">☐ {consent.text}</p>}
      <p>
        <b>{submit_label}</b>
      </p>
    </div>
  )
}

const shapeOf = (type: string, options: readonly string[]): string =>
  options.length > 0
    ? options.join(' · ')
    : type === 'checkbox'
      ? '☐'
      : (answerTypes.find(([one]) => one === type)?.[1] ?? '')
