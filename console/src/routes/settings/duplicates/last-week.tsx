import { useQuery } from '@tanstack/react-query'
import type {
  ChangeDuplicateRules,
  EntityType,
  SettingsPreview,
} from '../../../../../sdk/src/generated/types.ts'
import { problemOf } from '../../../api/problem.ts'
import { Loaded } from '../../../parts/loaded.tsx'
import { noName } from '../../../parts/no-name.ts'
import { Note } from '../../../parts/note.tsx'
import { count } from '../../../parts/numbers.ts'
import { Section, SectionBody } from '../../../parts/section.tsx'
import { Table } from '../../../parts/table.tsx'
import { usePaused } from '../../../parts/use-paused.ts'
import { ruleWords, scoreWords } from '../../../records/duplicate-words.ts'
import { useScope } from '../../../shell/scope.tsx'
import { previewQuery } from './preview-query.ts'

const pauseMs = 300

/** What the settings would have done in the last seven days, next to what the saved settings do. */
export function LastWeek({
  type,
  changes,
  isChanged,
}: {
  type: EntityType
  changes: ChangeDuplicateRules
  isChanged: boolean
}) {
  // As text: each render makes an equal object.
  const asked: ChangeDuplicateRules = JSON.parse(usePaused(JSON.stringify(changes), pauseMs))
  const preview = useQuery(previewQuery(useScope(), type, asked))
  const problem = preview.error && problemOf(preview.error)
  return (
    <Section
      title="What would have happened last week"
      about="The pairs that Crosswalk found in the last seven days, judged again. Nothing is changed."
    >
      {problem?.kind === 'refused' ? (
        <SectionBody>
          <Note kind="warn">These settings would be refused. {problem.text}</Note>
        </SectionBody>
      ) : (
        <Loaded query={preview} rows={3}>
          {(found) => found && <Figures preview={found} isChanged={isChanged} />}
        </Loaded>
      )}
    </Section>
  )
}

const rows = [
  ['merged', 'Merged automatically'],
  ['proposed', 'Proposed to a person'],
  ['left', 'Left alone'],
] as const

const columns = [
  { name: 'Pairs' },
  { name: 'Saved settings', width: 140, phoneWidth: 112, isNumber: true },
  { name: 'These settings', width: 140, phoneWidth: 112, isNumber: true },
]

const gaps: Record<SettingsPreview['incomplete_because'][number], string> = {
  many_pairs: 'Only the newest 1,000 pairs are counted.',
  lower_review_threshold: 'Pairs below the saved score were not stored. The real number would be higher.',
  was_off: 'Crosswalk found no pairs by the rules that are off now. The real number would be higher.',
}

const actions = { merge: 'merge', propose: 'propose', nothing: 'leave alone' }

function Figures({ preview, isChanged }: { preview: SettingsPreview; isChanged: boolean }) {
  const { before, after, contradicted, changes, incomplete_because } = preview
  const isEmpty = [before, after].every(({ merged, proposed, left }) => merged + proposed + left === 0)
  if (isEmpty)
    return (
      <SectionBody>
        <p className="two">Last week had no likely duplicates.</p>
      </SectionBody>
    )
  return (
    <>
      <Table label="Last week" columns={isChanged ? columns : columns.slice(0, 2)} hasControls={false}>
        {rows.map(([name, words]) => (
          <tr key={name}>
            <th scope="row">{words}</th>
            <td className="num">{count(before[name])}</td>
            {isChanged && (
              <td className="num">
                <span className={after[name] === before[name] ? undefined : 'strong'}>
                  {count(after[name])}
                </span>
              </td>
            )}
          </tr>
        ))}
      </Table>
      {(contradicted > 0 || incomplete_because.length > 0) && (
        <SectionBody>
          <div className="stack" style={{ paddingTop: 16 }}>
            {contradicted > 0 && (
              <Note kind="warn">
                {contradicted === 1 ? 'One pair' : `${count(contradicted)} pairs`} would be merged although
                somebody said that the two are not the same. The verdict still prevents the merge, but it
                shows that the settings are too loose.
              </Note>
            )}
            {incomplete_because.map((gap) => (
              <Note key={gap}>{gaps[gap]}</Note>
            ))}
          </div>
        </SectionBody>
      )}
      {isChanged && changes.length > 0 && (
        <Table label="Pairs with another outcome" columns={changeColumns} hasControls={false}>
          {changes.map(({ merge_id, survivor_name, loser_name, rule, score, before, after }) => (
            <tr key={merge_id}>
              <th scope="row">
                {survivor_name ?? noName} and {loser_name ?? noName}
              </th>
              <td className="opt">{ruleWords(rule)}</td>
              <td className="opt">{scoreWords(score)}</td>
              <td>
                {actions[before]} → {actions[after]}
              </td>
            </tr>
          ))}
        </Table>
      )}
    </>
  )
}

const changeColumns = [
  { name: 'Pairs with another outcome' },
  { name: 'Rule', width: 210, optional: true },
  { name: 'Score', width: 80, optional: true },
  { name: 'Outcome', width: 180, phoneWidth: 150 },
]
