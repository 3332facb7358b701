//! Courses and certificates
//!
//! Tables, entities and access patterns of the model `courses-certificates`, written by `monotable
//! model export --to rust`.

use monotable::db::{Get, Query};
use monotable::prelude::*;

/// The table `CertificationPlatform`.
#[derive(Table)]
#[table(
    name = "CertificationPlatform",
    pk = "pk",
    sk = "sk",
    entities(Course, Certificate, CertificateV2,)
)]
#[gsi(
    Gsi1,
    name = "gsi1",
    pk = "gsi1pk": string,
    sk = "gsi1sk": string,
)]
pub struct CertificationPlatform;

/// A course that takes place on a day
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = CertificationPlatform, version = 1)]
#[key(by_course: pk = "{course:slug}", sk = "{date:ymd}#course#01#{location:slug:digits(2)}#")]
pub struct Course {
    /// The attribute `courseName`.
    #[attr(name = "courseName", max_len = 100)]
    pub course: String,
    /// MM/DD/YYYY
    #[attr(name = "startDate", max_len = 10)]
    pub date: String,
    /// The attribute `location`.
    #[attr(max_len = 50)]
    pub location: String,
    /// The attribute `courseType`.
    #[attr(name = "courseType", max_len = 30)]
    pub course_type: Option<String>,
}

/// The entity `Certificate`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = CertificationPlatform, version = 1)]
#[key(by_course: pk = "{course:slug}", sk = "{date:ymd}#cert#01#{student:slug}#")]
#[index(Gsi1 by_cert_type:
    pk = "{cert_type:slug}#{shard_sum(\"cert#01#{instructor:slug}#\", 20):plain}#",
    sk = "cert#01#{instructor:slug}#",
)]
pub struct Certificate {
    /// The name of the course
    #[attr(name = "certName", max_len = 100)]
    pub course: String,
    /// MM/DD/YYYY
    #[attr(name = "issuedDate", max_len = 10)]
    pub date: String,
    /// The attribute `student`.
    #[attr(max_len = 60)]
    pub student: String,
    /// The attribute `certType`.
    #[attr(name = "certType", max_len = 20)]
    pub cert_type: String,
    /// The attribute `instructor`.
    #[attr(max_len = 60)]
    pub instructor: String,
}

/// The second version of a certificate
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = CertificationPlatform, version = 2)]
#[key(by_course: pk = "{course:slug}", sk = "{date:ymd}#cert#02#{student:slug}#")]
#[index(Gsi1 by_cert_type:
    pk = "{cert_type:slug}#{shard_sum(\"cert#02#{instructor:slug}#\", 20):plain}#",
    sk = "cert#02#{instructor:slug}#",
)]
pub struct CertificateV2 {
    /// The name of the course
    #[attr(name = "certName", max_len = 100)]
    pub course: String,
    /// MM/DD/YYYY
    #[attr(name = "issuedDate", max_len = 10)]
    pub date: String,
    /// The attribute `student`.
    #[attr(max_len = 60)]
    pub student: String,
    /// The attribute `certType`.
    #[attr(name = "certType", max_len = 20)]
    pub cert_type: String,
    /// The attribute `instructor`.
    #[attr(max_len = 60)]
    pub instructor: String,
}

/// What a partition holds together: Certificate, CertificateV2, Course.
#[derive(Collection, Debug, Clone, PartialEq)]
#[collection(CertificationPlatform, pk = "{course:slug}", mixed)]
pub enum CourseOrCertificateOrCertificateV2 {
    /// The entity [`Certificate`].
    Certificate(Certificate),
    /// The entity [`CertificateV2`].
    CertificateV2(CertificateV2),
    /// The entity [`Course`].
    Course(Course),
}

/// What a partition holds together: Certificate, CertificateV2.
#[derive(Collection, Debug, Clone, PartialEq)]
#[collection(CertificationPlatform, pk = "{course:slug}", mixed)]
pub enum CertificateOrCertificateV2 {
    /// The entity [`Certificate`].
    Certificate(Certificate),
    /// The entity [`CertificateV2`].
    CertificateV2(CertificateV2),
}

/// What a partition of `gsi1` holds together: Certificate, CertificateV2.
#[derive(Collection, Debug, Clone, PartialEq)]
#[collection(
    CertificationPlatform,
    index = Gsi1,
    parts(cert_type: String),
    pk = "{cert_type:slug}#{shard_sum(\"cert#01#{instructor:slug}#\", 20):plain}#"
)]
pub enum CertificateOrCertificateV2InGsi1 {
    /// The entity [`Certificate`].
    Certificate(Certificate),
    /// The entity [`CertificateV2`].
    CertificateV2(CertificateV2),
}

/// Access pattern: get course.
pub fn get_course(
    db: &Db<CertificationPlatform>,
    course: &str,
    date: &str,
    location: &str,
) -> Get<Course> {
    db.get(Course::by_course(course).date(date).location(location))
}

/// Access pattern: everything about a course.
pub fn everything_about_a_course(
    db: &Db<CertificationPlatform>,
    course: &str,
) -> Query<CourseOrCertificateOrCertificateV2> {
    db.query(CourseOrCertificateOrCertificateV2::of(course).span())
}

/// Access pattern: everything about a course in a year.
pub fn everything_about_a_course_in_a_year(
    db: &Db<CertificationPlatform>,
    course: &str,
    year: &str,
) -> Query<CourseOrCertificateOrCertificateV2> {
    db.query(CourseOrCertificateOrCertificateV2::of(course).beginning(Course::DATE, year).span())
}

/// Access pattern: everything about a course in a month.
pub fn everything_about_a_course_in_a_month(
    db: &Db<CertificationPlatform>,
    course: &str,
    month: &str,
) -> Query<CourseOrCertificateOrCertificateV2> {
    db.query(CourseOrCertificateOrCertificateV2::of(course).beginning(Course::DATE, month).span())
}

/// Access pattern: courses and certificates of a day.
pub fn courses_and_certificates_of_a_day(
    db: &Db<CertificationPlatform>,
    course: &str,
    date: &str,
) -> Query<CourseOrCertificateOrCertificateV2> {
    db.query(CourseOrCertificateOrCertificateV2::of(course).with(Course::DATE, date).span())
}

/// Access pattern: courses of a day by the beginning of their location.
pub fn courses_of_a_day_by_the_beginning_of_their_location(
    db: &Db<CertificationPlatform>,
    course: &str,
    date: &str,
    beginning: &str,
) -> Query<course::ByCourse> {
    db.query(Course::by_course(course).date(date).location_begins(beginning))
}

/// Access pattern: get certificate.
pub fn get_certificate(
    db: &Db<CertificationPlatform>,
    course: &str,
    date: &str,
    student: &str,
) -> Get<Certificate> {
    db.get(Certificate::by_course(course).date(date).student(student))
}

/// Access pattern: certificates of a day.
pub fn certificates_of_a_day(
    db: &Db<CertificationPlatform>,
    course: &str,
    date: &str,
) -> Query<CertificateOrCertificateV2> {
    db.query(CertificateOrCertificateV2::of(course).with(Certificate::DATE, date).span())
}

/// Access pattern: certificates of a day in the first version.
pub fn certificates_of_a_day_in_the_first_version(
    db: &Db<CertificationPlatform>,
    course: &str,
    date: &str,
) -> Query<certificate::ByCourse> {
    db.query(Certificate::by_course(course).date(date))
}

/// Access pattern: all certificates of a type.
///
/// A query for each shard, merged by the caller
pub fn all_certificates_of_a_type(
    db: &Db<CertificationPlatform>,
    cert_type: &str,
) -> Query<CertificateOrCertificateV2InGsi1> {
    db.query(CertificateOrCertificateV2InGsi1::of(cert_type).span())
}

/// Access pattern: all certificates of a type in the first version.
pub fn all_certificates_of_a_type_in_the_first_version(
    db: &Db<CertificationPlatform>,
    cert_type: &str,
) -> Query<certificate::ByCertType> {
    db.query(Certificate::by_cert_type(cert_type))
}

/// Access pattern: certificates of a type and instructor.
///
/// The instructor gives the shard, so one query is enough
pub fn certificates_of_a_type_and_instructor(
    db: &Db<CertificationPlatform>,
    cert_type: &str,
    instructor: &str,
) -> Query<certificate::ByCertType> {
    db.query(Certificate::by_cert_type(cert_type).instructor(instructor))
}
