import { AppError } from '../core/errors';
import type { CallArgs } from '../core/protocol';
import type { Decision } from '../core/tool';
import type { Desk } from './desk';
import type { Session } from './sessions';

export async function decide(_desk: Desk, _session: Session, _call: CallArgs, _decision: Decision): Promise<void> {
  throw new AppError('call-not-pending');
}

export async function setQuestionClock(_desk: Desk, _session: Session, _call: CallArgs, _action: 'pause' | 'resume' | 'off'): Promise<void> {
  throw new AppError('call-not-pending');
}
