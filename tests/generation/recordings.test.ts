import { describe } from 'vitest';
import { hasFixtures } from '../support/fixtures';
import { readRecordings } from '../support/recordings';
import { describeStoredAnswers } from './stored-answers';

if (!hasFixtures) console.log('Skipped: the recorded answers are not beside the repository.');

describe.skipIf(!hasFixtures)('recorded answers in the imitated database', () => {
  describeStoredAnswers(readRecordings());
});
