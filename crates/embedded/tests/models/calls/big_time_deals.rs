//! The functions of `big-time-deals`, called with the arguments of a step.

use crate::call::*;
use crate::generated::big_time_deals::*;

/// The models that the code describes.
pub(crate) fn models() -> Vec<monotable_model::document::Model> {
    vec![monotable::model_of::<BigTimeDeals>()]
}

/// Calls the function of a pattern; nothing where it has none.
pub(crate) async fn call(call: &Call) -> Option<Answer> {
    Some(match call.pattern() {
        "create deal" => call.send(create_deal(&call.db(), &call.entity::<Deal>())).await,
        "create brand" => {
            call.send(create_brand(
                &call.db(),
                &call.entity::<Brand>(),
                &call.argument::<BTreeSet<String>>("name"),
            ))
            .await
        }
        "create category" => {
            call.send(create_category(&call.db(), &call.entity::<Category>())).await
        }
        "set featured deals of the front page" => {
            call.send(set_featured_deals_of_the_front_page(
                &call.db(),
                &call.argument::<Vec<FrontPageFeaturedDealsElement>>("deals"),
            ))
            .await
        }
        "set featured deals of a category" => {
            call.send(set_featured_deals_of_a_category(
                &call.db(),
                &call.argument::<String>("Category"),
                &call.argument::<Vec<Value>>("deals"),
            ))
            .await
        }
        "set featured deals of the editor's choice" => {
            call.send(set_featured_deals_of_the_editor_s_choice(
                &call.db(),
                &call.argument::<Vec<EditorsChoiceFeaturedDealsElement>>("deals"),
            ))
            .await
        }
        "fetch front page" => call.send(fetch_front_page(&call.db())).await,
        "latest deals of a day" => {
            call.query(|| {
                latest_deals_of_a_day(
                    &call.db(),
                    &call.argument::<String>("day"),
                    call.argument::<Option<String>>("last").as_deref(),
                )
            })
            .await
        }
        "fetch category" => {
            call.send(fetch_category(&call.db(), &call.argument::<String>("Category"))).await
        }
        "latest deals of a category and day" => {
            call.query(|| {
                latest_deals_of_a_category_and_day(
                    &call.db(),
                    &call.argument::<String>("Category"),
                    &call.argument::<String>("day"),
                    call.argument::<Option<String>>("last").as_deref(),
                )
            })
            .await
        }
        "fetch editor's choice" => call.send(fetch_editor_s_choice(&call.db())).await,
        "fetch brand" => {
            call.send(fetch_brand(&call.db(), &call.argument::<String>("Brand"))).await
        }
        "latest deals of a brand and day" => {
            call.query(|| {
                latest_deals_of_a_brand_and_day(
                    &call.db(),
                    &call.argument::<String>("Brand"),
                    &call.argument::<String>("day"),
                    call.argument::<Option<String>>("last").as_deref(),
                )
            })
            .await
        }
        "fetch all brands" => call.send(fetch_all_brands(&call.db())).await,
        "fetch deal" => call.send(fetch_deal(&call.db(), &call.argument::<String>("DealId"))).await,
        "create user" => call.send(create_user(&call.db(), &call.entity::<User>())).await,
        "like brand" => {
            call.send(like_brand(
                &call.db(),
                &call.entity::<BrandLike>(),
                &call.argument::<String>("Brand"),
            ))
            .await
        }
        "watch brand" => {
            call.send(watch_brand(
                &call.db(),
                &call.entity::<BrandWatch>(),
                &call.argument::<String>("Brand"),
            ))
            .await
        }
        "like category" => {
            call.send(like_category(
                &call.db(),
                &call.entity::<CategoryLike>(),
                &call.argument::<String>("Category"),
            ))
            .await
        }
        "watch category" => {
            call.send(watch_category(
                &call.db(),
                &call.entity::<CategoryWatch>(),
                &call.argument::<String>("Category"),
            ))
            .await
        }
        "messages of a user" => {
            call.query(|| messages_of_a_user(&call.db(), &call.argument::<String>("Username")))
                .await
        }
        "unread messages of a user" => {
            call.query(|| {
                unread_messages_of_a_user(&call.db(), &call.argument::<String>("Username"))
            })
            .await
        }
        "mark message as read" => {
            call.send(mark_message_as_read(
                &call.db(),
                &call.argument::<String>("Username"),
                &call.argument::<String>("MessageId"),
            ))
            .await
        }
        "all users" => call.send(all_users(&call.db())).await,
        "users who watch a brand" => {
            call.query(|| users_who_watch_a_brand(&call.db(), &call.argument::<String>("Brand")))
                .await
        }
        "users who watch a category" => {
            call.query(|| {
                users_who_watch_a_category(&call.db(), &call.argument::<String>("Category"))
            })
            .await
        }
        "send message" => call.send(send_message(&call.db(), &call.entity::<Message>())).await,
        "read latest deals from a copy" => {
            call.send(read_latest_deals_from_a_copy(
                &call.db(),
                call.argument::<Number>("CacheNumber"),
            ))
            .await
        }
        _ => return None,
    })
}
