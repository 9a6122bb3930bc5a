import { Button, KeyboardKey } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import styles from './page.module.css'

const keys = [
  [['J'], 'Next proposal'],
  [['K'], 'Previous proposal'],
  [['M'], 'Merge'],
  [['D'], 'Not the same'],
  [['S'], 'Swap the two: the other record stays'],
  [['U'], 'Undo the last decision'],
  [['Tab', '←', '→'], 'Choose whose value a field takes'],
  [['?'], 'Show these keys'],
] as const

/** The keys of the page. */
export const KeysDialog = ({ onClose }: { onClose: () => void }) => (
  <Dialog
    title="Keys"
    onClose={onClose}
    foot={
      <Button onClick={onClose} data-autofocus>
        Close
      </Button>
    }
  >
    <dl className={styles.keys}>
      {keys.map(([names, about]) => (
        <div key={about}>
          <dt className="rail g4">
            {names.map((name) => (
              <KeyboardKey key={name}>{name}</KeyboardKey>
            ))}
          </dt>
          <dd>{about}</dd>
        </div>
      ))}
    </dl>
  </Dialog>
)
