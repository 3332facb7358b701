//! Students and sports
//!
//! Tables, entities and access patterns of the model `students-sports`, written by `monotable model
//! export --to rust`.

use monotable::db::{Get, GetMany, Query, Transaction};
use monotable::prelude::*;

/// The table `data`.
#[derive(Table)]
#[table(
    name = "data",
    pk = "PK",
    sk = "SK",
    type_attr = "TYPE",
    entities(Student, Sport, StudentSport,)
)]
#[gsi(
    Gsi1,
    name = "GSI1",
    pk = "GSIPK1": string,
    sk = "GSISK1": string,
)]
pub struct Data;

/// The entity `Student`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Data, tag = "STUDENT")]
#[key(by_student_id: pk = "STUDENT#{student_id}", sk = "STUDENT#{student_id}")]
#[index(Gsi1 by_student_id_in_gsi1: pk = "STUDENT#{student_id}", sk = "STUDENT#{student_id}")]
pub struct Student {
    /// The attribute `StudentId`.
    #[attr(name = "StudentId", max_len = 10)]
    pub student_id: String,
    /// The attribute `StudentName`.
    #[attr(name = "StudentName", max_len = 100)]
    pub student_name: Option<String>,
}

/// The entity `Sport`.
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Data, tag = "SPORT")]
#[key(by_sport_name: pk = "SPORT#{sport_name:upper}", sk = "SPORT#{sport_name:upper}")]
#[index(Gsi1 by_sport_name_in_gsi1:
    pk = "SPORT#{sport_name:upper}",
    sk = "SPORT#{sport_name:upper}",
)]
pub struct Sport {
    /// The attribute `SportName`.
    #[attr(name = "SportName", max_len = 30)]
    pub sport_name: String,
    /// The attribute `Coach`.
    #[attr(name = "Coach", max_len = 100)]
    pub coach: Option<String>,
}

/// What it repeats should not change, else every copy must be written again
#[derive(Entity, Debug, Clone, PartialEq)]
#[entity(table = Data, tag = "STUDENT_SPORT")]
#[key(by_student_id: pk = "STUDENT#{student_id}", sk = "SPORT#{sport_name:upper}")]
#[index(Gsi1 by_sport_name: pk = "SPORT#{sport_name:upper}", sk = "STUDENT#{student_id}")]
pub struct StudentSport {
    /// The attribute `StudentId`.
    #[attr(name = "StudentId", max_len = 10)]
    pub student_id: String,
    /// The attribute `StudentName`.
    #[attr(name = "StudentName", max_len = 100)]
    pub student_name: Option<String>,
    /// The attribute `SportName`.
    #[attr(name = "SportName", max_len = 30)]
    pub sport_name: String,
}

/// What a partition holds together: StudentSport, Student.
#[derive(Collection, Debug, Clone, PartialEq)]
#[collection(Data, pk = "STUDENT#{student_id}")]
pub enum StudentOrStudentSport {
    /// The entity [`StudentSport`].
    StudentSport(StudentSport),
    /// The entity [`Student`].
    Student(Student),
}

/// What a partition of `GSI1` holds together: StudentSport, Sport.
#[derive(Collection, Debug, Clone, PartialEq)]
#[collection(Data, index = Gsi1, parts(sport_name: String), pk = "SPORT#{sport_name:upper}")]
pub enum SportOrStudentSport {
    /// The entity [`StudentSport`].
    StudentSport(StudentSport),
    /// The entity [`Sport`].
    Sport(Sport),
}

/// Access pattern: get student.
pub fn get_student(db: &Db<Data>, student_id: &str) -> Get<Student> {
    db.get(Student::by_student_id(student_id))
}

/// Access pattern: student and sports.
///
/// Descending begins with the student
pub fn student_and_sports(db: &Db<Data>, student_id: &str) -> Query<StudentOrStudentSport> {
    db.query(StudentOrStudentSport::of(student_id).span()).desc()
}

/// Access pattern: sports of a student.
pub fn sports_of_a_student(db: &Db<Data>, student_id: &str) -> Query<student_sport::ByStudentId> {
    db.query(StudentSport::by_student_id(student_id))
}

/// Access pattern: sport and its students.
pub fn sport_and_its_students(db: &Db<Data>, sport_name: &str) -> Query<SportOrStudentSport> {
    db.query(SportOrStudentSport::of(sport_name).span())
}

/// Access pattern: students of a sport.
pub fn students_of_a_sport(db: &Db<Data>, sport_name: &str) -> Query<student_sport::BySportName> {
    db.query(StudentSport::by_sport_name(sport_name))
}

/// Access pattern: enrol student.
///
/// Student and sport must be there, the pair must not
pub fn enrol_student(
    db: &Db<Data>,
    student_id: &str,
    sport_name: &str,
    student_sport: &StudentSport,
) -> Transaction<Data, ()> {
    db.transaction()
        .check_exists(&Student::by_student_id(student_id))
        .check_exists(&Sport::by_sport_name(sport_name).sport_name(sport_name))
        .create(student_sport)
}

/// Access pattern: details of several students.
///
/// Second step of a list whose enrolments hold only what never changes
pub fn details_of_several_students(
    db: &Db<Data>,
    keys: impl IntoIterator<Item = Key<Student>>,
) -> GetMany<Student> {
    db.get_many(keys)
}
