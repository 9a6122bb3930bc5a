import { type DragEvent, useState } from 'react'
import { ApiError } from '../../../../../sdk/src/errors.ts'
import { problemOf } from '../../../api/problem.ts'
import { Segments, Select } from '../../../parts/field.tsx'
import { FileButton } from '../../../parts/file-button.tsx'
import { useScope } from '../../../shell/scope.tsx'
import { type ImportedKind, kinds } from '../import-words.ts'
import { encodings } from './encodings.ts'
import styles from './new.module.css'
import { FileProblem } from './upload-progress.tsx'

/** The first step: what the rows are, and the file. */
export function FileStep({
  kind,
  isReading,
  error,
  onKind,
  onFile,
  onEncoding,
}: {
  kind: ImportedKind
  isReading: boolean
  error: unknown
  onKind: (kind: ImportedKind) => void
  onFile: (file: File) => void
  /** Reads the refused file again with another encoding. */
  onEncoding: (encoding: string) => void
}) {
  const { can } = useScope()
  const [isOver, setOver] = useState(false)
  const offered = kinds.filter(({ resource }) => can(`${resource}:write`))
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const file = event.dataTransfer.files[0]
    if (file && !isReading) onFile(file)
  }
  return (
    <div className={styles.sheet}>
      <div className={styles.block}>
        {offered.length > 1 && (
          <Segments
            label="Each row is"
            value={kind.entity}
            options={[
              ['contact', 'A person'],
              ['company', 'A company'],
            ]}
            onChange={(entity) => onKind(offered.find((one) => one.entity === entity) ?? kind)}
          />
        )}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same */}
        <div
          className={styles.drop}
          data-over={isOver || undefined}
          onDragOver={(event) => {
            event.preventDefault()
            setOver(true)
          }}
          onDragLeave={() => setOver(false)}
          onDrop={drop}
        >
          <p>Drop a file here, or</p>
          <FileButton accept=".csv,.tsv,.txt,.xlsx,text/csv" kind="main" isBusy={isReading} onFile={onFile}>
            {isReading ? 'Reading the file' : 'Choose a file'}
          </FileButton>
          <p className="t12 three">
            CSV with any delimiter and encoding, or an Excel workbook (.xlsx). The first row names the
            columns.
          </p>
        </div>
        {error !== null && <FileProblem error={error} />}
        {error instanceof ApiError && /encoding/.test(problemOf(error).text) && (
          <div style={{ maxWidth: 320 }}>
            <Select
              label="Read it with another encoding"
              value=""
              options={[['', 'Choose an encoding'], ...encodings]}
              onChange={onEncoding}
            />
          </div>
        )}
      </div>
    </div>
  )
}
