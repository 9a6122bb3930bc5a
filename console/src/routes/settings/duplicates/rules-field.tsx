import { useQuery } from '@tanstack/react-query'
import type { DuplicateMode, EntityType } from '../../../../../sdk/src/generated/types.ts'
import { Select } from '../../../parts/field.tsx'
import { ruleWords } from '../../../records/duplicate-words.ts'
import { useScope } from '../../../shell/scope.tsx'
import styles from './page.module.css'
import { previewQuery } from './preview-query.ts'

const modes = [
  ['', 'As above'],
  ['off', 'Off'],
  ['shadow', 'Propose'],
  ['auto', 'Merge automatically'],
] as const

/** The rules of a type of record, each with a mode of its own. The server names the rules. */
export function RulesField({
  type,
  rules,
  onChange,
}: {
  type: EntityType
  rules: Readonly<Record<string, DuplicateMode>>
  onChange: (rules: Readonly<Record<string, DuplicateMode>>) => void
}) {
  const { data } = useQuery(previewQuery(useScope(), type, {}))
  const names = (data?.rules ?? []).flatMap(({ rule }) => rule ?? [])
  const options = type === 'deal' ? modes.filter(([value]) => value !== 'auto') : modes
  return (
    <fieldset className="stack g4">
      <legend className="two t12">Rules</legend>
      <p className="three t12">If a rule is off, the score alone can still find the same pair.</p>
      <div className={styles.rules}>
        {names.map((rule) => (
          <div key={rule}>
            <span>{ruleWords(rule)}</span>
            <Select
              label={ruleWords(rule)}
              isLabelHidden
              value={rules[rule] ?? ''}
              options={options}
              onChange={(mode) => {
                const { [rule]: _, ...others } = rules
                onChange(mode === '' ? others : { ...others, [rule]: mode })
              }}
            />
          </div>
        ))}
      </div>
    </fieldset>
  )
}
