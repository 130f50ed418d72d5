import { builder } from '../../graphql/builder.ts';
import { mailFrequencies } from '../../model/notifications.ts';
import {
  changeNotificationChoice,
  type NotificationChoice,
  notificationChoiceOf,
} from '../../store/notifications/choice.ts';

const Notifications = builder.objectRef<NotificationChoice>('Notifications').implement({
  description: 'The notification settings of a user.',
  fields: (t) => ({
    byMail: t.exposeBoolean('byMail', {
      description:
        'Whether the user receives emails about tasks, comments and changes to documents that the user follows.',
    }),
    frequency: t.exposeString('frequency', {
      description: `How often the user receives them: ${mailFrequencies.join(', ')}.`,
    }),
    language: t.exposeString('language', {
      nullable: true,
      description:
        'The language of all emails to the user; null for the language of the request that triggers an email.',
    }),
  }),
});

const NotificationsChange = builder.inputType('NotificationsChange', {
  fields: (t) => ({ byMail: t.boolean(), frequency: t.string(), language: t.string() }),
});

builder.queryField('notifications', (t) =>
  t.field({
    type: Notifications,
    description: "The caller's notification settings.",
    resolve: (_, __, context) => notificationChoiceOf(context),
  }),
);

builder.mutationField('changeNotifications', (t) =>
  t.field({
    type: Notifications,
    description: "Changes the caller's notification settings.",
    args: { notifications: t.arg({ type: NotificationsChange, required: true }) },
    resolve: (_, { notifications }, context) => changeNotificationChoice(context, notifications),
  }),
);
