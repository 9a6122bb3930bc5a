import { useState } from 'react'
import type { ImportedSuppressions } from '../../../../sdk/src/generated/types.ts'
import { TextArea } from '../../parts/field.tsx'
import { FileButton } from '../../parts/file-button.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { count } from '../../parts/numbers.ts'
import { Table } from '../../parts/table.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useScope } from '../../shell/scope.tsx'

/** Puts many numbers on the list: pasted ones, or those of a CSV file. Stays open to show the refused lines. */
export function SuppressionImport({
  onClose,
  onImported,
}: {
  onClose: () => void
  onImported: (outcome: ImportedSuppressions) => void
}) {
  const { api } = useScope()
  const [pasted, setPasted] = useState('')
  const [file, setFile] = useState<File | null>(null)
  const [outcome, setOutcome] = useState<ImportedSuppressions | null>(null)
  const sent = file ? { body: asCsv(file), linesAdded: 0 } : csvOf(pasted)
  const form = useSubmit(
    async () => {
      const answer = await api.voice.suppressions.import(sent.body)
      return {
        ...answer,
        refusals: answer.refusals.map((refusal) => ({ ...refusal, row: refusal.row - sent.linesAdded })),
      }
    },
    {
      onDone: (answer) => {
        setOutcome(answer)
        onImported(answer)
      },
    },
  )
  if (outcome)
    return (
      <FormDialog title="Numbers imported" act={null} cancel="Close" form={form} onClose={onClose} wide>
        <p>{outcomeWords(outcome)}</p>
        <Refusals outcome={outcome} />
      </FormDialog>
    )
  return (
    <FormDialog
      title="Never call many numbers"
      act="Import"
      form={form}
      isBlocked={file === null && pasted.trim() === ''}
      onClose={onClose}
    >
      {file ? (
        <p>
          The file <b>{file.name}</b> is imported.
        </p>
      ) : (
        <TextArea
          label="Numbers, one on each line"
          value={pasted}
          onChange={setPasted}
          placeholder={'+1 202 555 0148\n+1 202 555 0149'}
          rows={6}
          data-autofocus
        />
      )}
      <div>
        <FileButton accept=".csv,.tsv,.txt,text/csv" onFile={setFile}>
          {file ? 'Choose another file' : 'Choose a CSV file'}
        </FileButton>
      </div>
      <p className="t12 three">
        The first row of a file names its columns: <code>number</code>, and if you like <code>reason</code>,{' '}
        <code>source</code> and <code>since</code>, as in an export. At most 10,000 rows.
      </p>
    </FormDialog>
  )
}

/** The file with the media type that the server expects. Some systems give CSV files the type of Excel. */
const asCsv = (file: File): Blob => file.slice(0, file.size, 'text/csv')

/** Pasted lines as a CSV file: its head is added if they have none. */
function csvOf(pasted: string): { body: Blob; linesAdded: number } {
  const hasHead = /^\s*"?number\b/i.test(pasted)
  const text = hasHead ? pasted.trimStart() : `number\n${pasted}`
  return { body: new Blob([text], { type: 'text/csv' }), linesAdded: hasHead ? 0 : 1 }
}

/** What an import did, as a sentence. */
export function outcomeWords({ created, existing, refused }: ImportedSuppressions): string {
  const numbers = (n: number) =>
    n === 0 ? 'No number was' : `${count(n)} ${n === 1 ? 'number was' : 'numbers were'}`
  const parts = [
    `${numbers(created)} added.`,
    existing > 0 && `${numbers(existing)} on the list already.`,
    refused > 0 && `${count(refused)} ${refused === 1 ? 'line was' : 'lines were'} refused.`,
  ]
  return parts.filter(Boolean).join(' ')
}

const columns = [{ name: 'Line', width: 72, isNumber: true }, { name: 'Why' }]

const Refusals = ({ outcome: { refusals, refused } }: { outcome: ImportedSuppressions }) => (
  <>
    <Table label="Refused lines" columns={columns} hasControls={false}>
      {refusals.map(({ row, reason }) => (
        <tr key={row}>
          <td className="num">{count(row)}</td>
          <td style={{ whiteSpace: 'normal' }}>{reason}</td>
        </tr>
      ))}
    </Table>
    {refused > refusals.length && (
      <p className="two">These are the first {count(refusals.length)} refused lines.</p>
    )}
  </>
)
