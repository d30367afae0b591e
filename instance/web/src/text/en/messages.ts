import type { components } from "../../api/schema";
import { count } from "../format";

type Ticket = components["schemas"]["instance.ticket"]["ticket"];
type Notification = components["schemas"]["instance.notifications"]["notifications"][number];

export const messages = {
  title: "Messages",
  newMessage: "New message",
  toFacility: "To the facility",
  subject: "Subject",
  message: "Message",
  aboutOrder: "About order",
  noOrder: "No order",
  priority: "Priority",
  send: "Send",
  sent: "Your message is sent.",
  search: "Search messages",
  from: "From",
  last: "Last message",
  state: "State",
  unread: (unread: number): string => `${count(unread)} new`,
  none: "No messages yet",
  noneWhy:
    "Write to the facility about an order, a delivery or anything else. For example: Can sample lake-17 be sequenced again?",
  noneAdmin: "Nobody has written yet. Messages of researchers arrive here.",
  noneFound: "No message fits",
  all: "All",
  states: {
    OPEN: "Waits for an answer",
    IN_PROGRESS: "Being answered",
    RESOLVED: "Answered",
    CLOSED: "Closed",
  } satisfies Record<Ticket["status"], string>,
  priorities: {
    LOW: "Low",
    NORMAL: "Normal",
    HIGH: "High",
    URGENT: "Urgent",
  } satisfies Record<Ticket["priority"], string>,
  close: "Close conversation",
  closeTitle: (subject: string): string => `Close ${subject}`,
  closeWhat: "It stays readable, and only the facility can open it again. A new message starts another one.",
  reopen: "Open again",
  resolve: "Mark as answered",
  closedHint: "This conversation is closed. A new message starts another one.",
  reply: "Message",
  theOrder: "Order",
  theStudy: "Study",
  showMore: "Show more",
  notifications: "Notifications",
  noNotifications: "Nothing has happened yet",
  noNotificationsWhy: "You are told here when an order moves, a delivery is released or somebody answers.",
  markRead: "Mark all as read",
  isNew: "New",
  notificationKinds: {
    "order-status": "Order",
    "delivery-published": "Delivery",
    "ticket-reply": "Message",
    "run-selected": "Result",
    "account-pending": "Account",
    "order-owner": "Order",
  } satisfies Record<Notification["type"], string>,
} as const;
