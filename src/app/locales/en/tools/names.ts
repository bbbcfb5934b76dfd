/** What each tool and each group is called, and what it does, by the name that models use. */
export const names = {
  tools: {
    calculate: { name: 'Calculator', effect: 'Works out numbers, percentages, dates and units exactly.' },
    convert_units: { name: 'Unit conversion', effect: 'Converts lengths, weights, volumes, temperatures and the like.' },
    get_date_time: { name: 'Date and time', effect: 'Looks at this device’s clock, here or in another time zone.' },
    ask_user: { name: 'Question', effect: 'Asks you something with choices before it goes on.' },
    task_create: { name: 'Task list: add', effect: 'Writes down a step of a longer piece of work.' },
    task_update: { name: 'Task list: change', effect: 'Moves a step on, or words it anew.' },
    task_list: { name: 'Task list', effect: 'Reads the steps that are written down.' },
    show_image: { name: 'Show a picture', effect: 'Shows a picture of this conversation again.' },
    generate_image: { name: 'Make a picture', effect: 'Lets the provider make a picture; that usually costs money.' },
    recent_chats: { name: 'Recent conversations', effect: 'Lists this assistant’s latest conversations by title.' },
    conversation_search: { name: 'Search conversations', effect: 'Looks for words in this assistant’s earlier conversations.' },
    read_conversation: { name: 'Read a conversation', effect: 'Reads messages of an earlier conversation of this assistant.' },
    read_tool_output: { name: 'Read a long result', effect: 'Reads on in a result that was too long to read at once.' },
    get_session_capabilities: { name: 'What it can do here', effect: 'Lists which tools and features this chat has.' },
  },
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
