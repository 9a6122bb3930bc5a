import { CopyButton } from '../../../parts/copy.tsx'
import { DownloadButton } from '../../../parts/download.tsx'
import { OnceDialog } from '../../../parts/once-dialog.tsx'
import styles from './recovery-codes-dialog.module.css'

/**
 * Shows the recovery codes the only time that anyone sees them.
 * @param areRenewed whether they replace earlier codes
 */
export function RecoveryCodesDialog({
  codes,
  areRenewed,
  onClose,
}: {
  codes: readonly string[]
  areRenewed: boolean
  onClose: () => void
}) {
  const text = `${codes.join('\n')}\n`
  return (
    <OnceDialog
      title="Store the recovery codes now"
      tick="I have stored them"
      reminder="Store the codes first, then tick “I have stored them”."
      onClose={onClose}
    >
      <p className="two">
        {areRenewed ? 'Your earlier codes no longer work.' : 'The authenticator app is on.'} If you lose the
        app, each of these codes signs you in once. Keep them where you keep passwords. Nobody can see them
        again.
      </p>
      <ol className={styles.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className="rail">
        <CopyButton text={text} kind="main" />
        <DownloadButton
          name="crosswalk-recovery-codes.txt"
          text={`Recovery codes of Crosswalk at ${location.host}. Each works once.\n\n${text}`}
        />
      </div>
    </OnceDialog>
  )
}
