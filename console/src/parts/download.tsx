import { Button } from './button.tsx'

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

/** Saves a file as a download. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
