/** What each tool and each group is called, and what it does, by the name that models use. */
export const names = {
  tools: {},
  groups: {
    calculation: 'Calculation',
    time: 'Date and time',
    conversations: 'Earlier conversations',
    questions: 'Questions to you',
    tasks: 'Task list',
    images: 'Pictures',
    session: 'This chat',
  },
};
