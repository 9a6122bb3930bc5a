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
  const lines = file ? null : pasted.split('\n')
  const form = useSubmit(
    async () => {
      const answer = await api.voice.suppressions.import(sent.body)
      return {
        ...answer,
        refusals: answer.refusals.map(({ row, reason, ...refusal }) => ({
          ...refusal,
          row: row - sent.linesAdded,
          reason: reason.replace(/^number: value is /, 'This is '),
        })),
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
      <FormDialog
        key="imported"
        title="Numbers imported"
        act={null}
        cancel="Close"
        form={form}
        isDraft={false}
        onClose={onClose}
        wide
      >
        <p>{outcomeWords(outcome)}</p>
        <Refusals outcome={outcome} lines={lines} />
      </FormDialog>
    )
  return (
    <FormDialog
      title="Import numbers that are never called"
      act="Import"
      form={form}
      isBlocked={file === null && pasted.trim() === ''}
      onClose={onClose}
    >
      {file ? (
        <p>
          The file <b>{file.name}</b> will be imported.
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
        The first row of a file names its columns: <code>number</code> and, optionally, <code>reason</code>,{' '}
        <code>source</code> and <code>since</code>, as in an export. At most 10,000 rows.
      </p>
    </FormDialog>
  )
}

/** The file with the media type that the server expects. Some systems give CSV files the type of Excel. */
const asCsv = (file: File): Blob => file.slice(0, file.size, 'text/csv')

/** Pasted lines as a CSV file. Without a header row, each line is one number, even a line with a comma. */
function csvOf(pasted: string): { body: Blob; linesAdded: number } {
  const hasHead = /^"?number\b/i.test(pasted)
  const text = hasHead ? pasted : ['number', ...pasted.split('\n').map(quoted)].join('\n')
  return { body: new Blob([text], { type: 'text/csv' }), linesAdded: hasHead ? 0 : 1 }
}

/** A line as one value. A blank line stays blank, because the server skips it. */
const quoted = (line: string): string => (line.trim() === '' ? '' : `"${line.replaceAll('"', '""')}"`)

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

const line = { name: 'Line', width: 72, isNumber: true }
const text = { name: 'Text', width: 200 }
const why = { name: 'Why' }

/** @param lines the pasted lines, which are lost when the dialog closes. null: a file was sent. */
const Refusals = ({
  outcome: { refusals, refused },
  lines,
}: {
  outcome: ImportedSuppressions
  lines: readonly string[] | null
}) => (
  <>
    <Table label="Refused lines" columns={lines ? [line, text, why] : [line, why]} hasControls={false}>
      {refusals.map(({ row, reason }) => (
        <tr key={row}>
          <td className="num">{count(row)}</td>
          {lines && <td style={{ whiteSpace: 'normal' }}>{lines[row - 1]}</td>}
          <td style={{ whiteSpace: 'normal' }}>{reason}</td>
        </tr>
      ))}
    </Table>
    {refused > refusals.length && (
      <p className="two">These are the first {count(refusals.length)} refused lines.</p>
    )}
  </>
)
