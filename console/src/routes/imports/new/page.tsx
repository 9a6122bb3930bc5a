import { useState } from 'react'
import { Button } from '../../../parts/button.tsx'
import { Empty } from '../../../parts/empty.tsx'
import { Note } from '../../../parts/note.tsx'
import { companies, countOf, people } from '../../../records/kinds.ts'
import { useNavigate, useSearch } from '../../../routing/use-router.ts'
import { Page } from '../../../shell/page.tsx'
import { useScope } from '../../../shell/scope.tsx'
import { reloadImports } from '../import-queries.ts'
import { type ImportedKind, isUnfinished, kinds } from '../import-words.ts'
import { CheckStep, readyRows, useCheck } from './check-step.tsx'
import { ColumnsStep, isReady } from './columns-step.tsx'
import { type Draft, draftOf, hasPhones, looseColumns, rereadDraft } from './draft.ts'
import { FileStep } from './file-step.tsx'
import { LeaveQuestion } from './leave-question.tsx'
import styles from './new.module.css'
import { inspectFile } from './read-file.ts'
import { type Step, Steps } from './steps.tsx'
import { UploadProgress } from './upload-progress.tsx'
import { useUpload } from './use-upload.ts'

/** Imports a file in four steps: the file, its columns, a check, and the import. */
export function NewImportPage() {
  const { can } = useScope()
  const { of } = useSearch('/o/$orgId/imports/new')
  const offered = kinds.filter(({ resource }) => can(`${resource}:write`))
  const first = offered.find(({ resource }) => resource === of) ?? offered[0]
  if (first) return <Wizard first={first} />
  return (
    <Page name="Imports" part="Import a file">
      <Empty icon="import" title="Your role may not import files">
        <p className="two">
          It lacks <span className="mono">{people.resource}:write</span> and{' '}
          <span className="mono">{companies.resource}:write</span>. Ask an owner or admin.
        </p>
      </Empty>
    </Page>
  )
}

function Wizard({ first }: { first: ImportedKind }) {
  const { orgId, api, can } = useScope()
  const navigate = useNavigate()
  const [kind, setKind] = useState(first)
  const [draft, setDraft] = useState<Draft | null>(null)
  const [step, setStep] = useState<Step>('file')
  const [isReading, setReading] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [refused, setRefused] = useState<File | null>(null)
  const [checkId, setCheckId] = useState<string | null>(null)
  /** The draft whose import the person stopped while it was sent. */
  const [stopped, setStopped] = useState<Draft | null>(null)
  const checkUpload = useUpload()
  const importUpload = useUpload()
  const check = useCheck(checkId)

  const read = async (file: File, encoding = '') => {
    setReading(true)
    setError(null)
    try {
      const inspection = await inspectFile(api, kind, file, encoding)
      setDraft((before) =>
        before?.file === file && before.kind === kind
          ? rereadDraft(before, inspection, encoding)
          : draftOf(kind, file, inspection, encoding),
      )
      setStep('columns')
    } catch (failure) {
      setError(failure)
      setRefused(file)
    } finally {
      setReading(false)
    }
  }
  const startCheck = async (checked: Draft) => {
    setStep('check')
    setCheckId(null)
    const accepted = await checkUpload.start(checked, true)
    if (accepted) setCheckId(accepted.import_id)
  }
  const startImport = async (checked: Draft, rows: number) => {
    setStep('import')
    const accepted = await importUpload.start(checked, false)
    if (!accepted) return
    void reloadImports(orgId)
    void navigate({
      to: '/o/$orgId/imports/$importId',
      params: { orgId, importId: accepted.import_id },
      search: { rows },
      replace: true,
      ignoreGuard: true,
    })
  }
  const back = (to: Step) => {
    if (step === 'import' && importUpload.state.phase !== 'failed') setStopped(draft)
    checkUpload.stop()
    importUpload.stop()
    setError(null)
    setStep(to)
  }
  const found = check.data
  const ready = found && !isUnfinished(found) ? readyRows(found) : 0
  return (
    <Page name="Imports" part={draft?.file.name ?? 'Import a file'} acts={<Steps current={step} />}>
      <div className={styles.step}>
        {step === 'file' && (
          <FileStep
            {...{ kind, isReading, error }}
            onKind={setKind}
            onFile={(file) => void read(file)}
            onEncoding={(encoding) => refused && void read(refused, encoding)}
          />
        )}
        {draft && step === 'columns' && (
          <>
            <ColumnsStep
              draft={draft}
              error={error}
              onChange={setDraft}
              onEncoding={(encoding) => void read(draft.file, encoding)}
            />
            <footer className={styles.foot}>
              <Button
                kind="main"
                disabled={!isReady(draft)}
                isBusy={isReading}
                onClick={() => void startCheck(draft)}
              >
                Check the rows
              </Button>
              <Button kind="quiet" onClick={() => back('file')}>
                Choose another file
              </Button>
              <span className="end three t12 opt">The check writes nothing</span>
            </footer>
          </>
        )}
        {draft && step === 'check' && (
          <>
            <div className={styles.sheet}>
              {checkUpload.state.phase !== 'idle' && (
                <div className={styles.block}>
                  <UploadProgress
                    state={checkUpload.state}
                    title="Sending the file for the check"
                    name={draft.file.name}
                  />
                </div>
              )}
              {stopped === draft && (
                <div className={styles.block}>
                  <Note kind="warn">
                    You stopped the upload. If Crosswalk had the whole file already, it imports it: see
                    “Imports”. The button below does not import it twice.
                  </Note>
                </div>
              )}
              {checkId !== null && (
                <CheckStep check={check} hasPhones={hasPhones(draft)} loose={looseColumns(draft)} />
              )}
            </div>
            <footer className={styles.foot}>
              {ready > 0 && found && (
                <Button kind="main" onClick={() => void startImport(draft, found.counts.rows_read)}>
                  Import {countOf(draft.kind, ready)}
                </Button>
              )}
              {checkUpload.state.phase === 'failed' && (
                <Button kind="main" onClick={() => void startCheck(draft)}>
                  Check again
                </Button>
              )}
              <Button kind="quiet" onClick={() => back('columns')}>
                Back to the columns
              </Button>
              {ready > 0 && can(`${draft.kind.resource}:manage`) && (
                <span className="end three t12 opt">You can revert the whole import later</span>
              )}
            </footer>
          </>
        )}
        {draft && step === 'import' && (
          <>
            <div className={styles.sheet}>
              <div className={styles.block}>
                <UploadProgress state={importUpload.state} title="Sending the file" name={draft.file.name} />
                {importUpload.state.phase !== 'failed' && (
                  <p className="two">
                    Keep this page open until the file is sent. Then the import continues without this page.
                  </p>
                )}
              </div>
            </div>
            <footer className={styles.foot}>
              {importUpload.state.phase === 'failed' && found && (
                <Button kind="main" onClick={() => void startImport(draft, found.counts.rows_read)}>
                  Send again
                </Button>
              )}
              <Button
                kind={importUpload.state.phase === 'failed' ? 'quiet' : 'plain'}
                onClick={() => back('check')}
              >
                {importUpload.state.phase === 'failed' ? 'Back to the check' : 'Stop'}
              </Button>
            </footer>
          </>
        )}
      </div>
      <LeaveQuestion isNeeded={draft !== null && step !== 'file'} />
    </Page>
  )
}
