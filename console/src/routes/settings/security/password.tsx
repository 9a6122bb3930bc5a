import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../../../../sdk/src/errors.ts'
import { beginSession } from '../../../api/session.ts'
import { useSession } from '../../../api/use-session.ts'
import { Button } from '../../../parts/button.tsx'
import { TextField } from '../../../parts/field.tsx'
import { FormDialog } from '../../../parts/form-dialog.tsx'
import { Section } from '../../../parts/section.tsx'
import { showToast } from '../../../parts/toast.tsx'
import { useSubmit } from '../../../parts/use-submit.ts'
import { useScope } from '../../../shell/scope.tsx'

export function PasswordSection() {
  const { member } = useSession()
  const [isOpen, setOpen] = useState(false)
  return (
    <Section
      title="Password"
      about={
        member.has_password
          ? 'You can sign in with your e-mail address and a password.'
          : 'You have no password. Add one if you need to sign in where you have no passkey.'
      }
      act={
        <Button onClick={() => setOpen(true)}>
          {member.has_password ? 'Change password' : 'Add a password'}
        </Button>
      }
    >
      {isOpen && <PasswordDialog onClose={() => setOpen(false)} />}
    </Section>
  )
}

/** A new password ends all other sessions. */
function PasswordDialog({ onClose }: { onClose: () => void }) {
  const { api } = useScope()
  const { member } = useSession()
  const queries = useQueryClient()
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [hasPassword] = useState(member.has_password)
  const form = useSubmit(
    async () => api.session.changePassword({ ...(hasPassword && { password: current }), new_password: next }),
    {
      places: ['password', 'new_password'],
      onDone: (session) => {
        beginSession(session)
        void queries.invalidateQueries({ queryKey: ['sessions'] })
        showToast('The password was saved. All your other sessions ended.')
        onClose()
      },
    },
  )
  const { errorAt, rest, error } = form
  const isWrong = error instanceof ApiError && error.code === 'sign_in_failed'
  return (
    <FormDialog
      title={hasPassword ? 'Change your password' : 'Add a password'}
      act="Save"
      form={{ ...form, rest: isWrong ? null : rest }}
      onClose={onClose}
    >
      <input type="hidden" autoComplete="username" value={member.email} />
      {hasPassword && (
        <TextField
          label="Current password"
          type="password"
          autoComplete="current-password"
          value={current}
          onChange={setCurrent}
          error={isWrong ? 'This is not your current password.' : errorAt('password')}
          required
          autoFocus
        />
      )}
      <TextField
        label="New password"
        type="password"
        autoComplete="new-password"
        value={next}
        onChange={setNext}
        error={errorAt('new_password')}
        hint={`At least ${member.has_second_factor ? 8 : 15} characters. A few words are easy to remember.`}
        required
        autoFocus={!hasPassword}
      />
      <p className="t12 two">
        All your other sessions end. Your connected apps stay: disconnect them under Connected apps.
      </p>
    </FormDialog>
  )
}
