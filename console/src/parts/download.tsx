import type { ReactNode } from 'react'
import { problemElsewhere } from '../api/problem.ts'
import { Button } from './button.tsx'
import { showToast } from './toast.tsx'
import { useSubmit } from './use-submit.ts'

/** A button that saves a text as a file, without a server. */
export function DownloadButton({
  name,
  text,
  label = 'Download',
}: {
  name: string
  text: string
  label?: string
}) {
  return (
    <Button
      kind="quiet"
      icon="import"
      onClick={() => saveFile(new Blob([text], { type: 'text/plain' }), name)}
    >
      {label}
    </Button>
  )
}

/** Excel reads a CSV file that begins with this as UTF-8, and any other in the encoding of the computer. */
const utf8Mark = '\ufeff'

/** A button that saves a file of the server. After a failure, a toast shows `failed` and the reason. */
export function ServerFileButton({
  kind,
  name,
  read,
  failed,
  disabled = false,
  title,
  children,
}: {
  kind?: 'quiet'
  name: string
  read: () => PromiseLike<ReadableStream<Uint8Array>>
  failed: string
  disabled?: boolean
  title?: string | undefined
  children: ReactNode
}) {
  const { submit, isBusy } = useSubmit(async () => {
    try {
      const file = await new Response(await read()).blob()
      saveFile(new Blob(name.endsWith('.csv') ? [utf8Mark, file] : [file], { type: file.type }), name)
    } catch (error) {
      showToast(`${failed}: ${problemElsewhere(error, [])}`, 'bad')
    }
  })
  return (
    <Button {...(kind && { kind })} icon="import" {...{ isBusy, disabled, title }} onClick={() => submit()}>
      {children}
    </Button>
  )
}

/** The day of today in UTC, for names of files: 2026-08-02. */
export const dayOfFile = (): string => new Date().toISOString().slice(0, 10)

/** Saves a file as a download. */
function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
