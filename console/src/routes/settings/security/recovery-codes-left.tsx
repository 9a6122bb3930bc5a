import { Button } from '../../../parts/button.tsx'
import { Note } from '../../../parts/note.tsx'

const few = 2

/** How many recovery codes are left, and the way to new ones. */
export const RecoveryCodesLeft = ({ left, onRenew }: { left: number; onRenew: () => void }) => (
  <div className="stack g12">
    <div className="rail wrap g12">
      <span className="grow">
        {left === 0
          ? 'No recovery code is'
          : left === 1
            ? '1 recovery code is'
            : `${left} recovery codes are`}{' '}
        left. <span className="two">Each signs you in once without the app.</span>
      </span>
      <Button onClick={onRenew}>New recovery codes</Button>
    </div>
    {left <= few && (
      <Note kind="warn">
        {left === 0 ? 'If you lose the app now, only the operator can let you in.' : 'Make new codes soon.'}
      </Note>
    )}
  </div>
)
