// Many `<sign-announcement>` on one page against the real proxy and sandbox: a board of departures inside the rate budget.
import { expect } from '@open-wc/testing';
import { clear, mount, watchFetch } from './announcement-harness.ts';
import { until } from '../harness.ts';

const BOARD = 30;
/** A third of what the service allows all of an operator's pages in 5 minutes (document 1, Limits). */
const BUDGET = 500;

afterEach(clear);

it('all announcements of a board of 30 are signed, inside the rate budget', async () => {
  const asked = await watchFetch();
  const { fetch } = window;
  const refused: number[] = [];
  window.fetch = async (input, init) => {
    const answer = await fetch(input, init);
    if (!answer.ok) refused.push(answer.status);
    return answer;
  };
  const board = await Promise.all(
    Array.from({ length: BOARD }, (_, n) =>
      mount({
        'static-message': 'MIND_THE_GAP',
        timing: `09${30 + n}`,
        style: 'inline-size: 80px; float: left',
      }),
    ),
  );
  await until(() => board.every(({ said }) => said.includes('sign-end')));
  expect(board.flatMap(({ said }) => said.filter((name) => name.startsWith('sign-error')))).to.deep.equal([]);
  expect(refused).to.deep.equal([]);
  expect(asked.submitted).to.have.length(BOARD);
  expect(asked.submitted.length + asked.looks.length).to.be.below(BUDGET);
});
