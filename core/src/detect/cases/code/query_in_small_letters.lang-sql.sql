create table stock (
  id integer primary key,
  name varchar(40) not null
);

insert into stock (id, name) values (1, 'pencil');

select name from stock where id = 1;

update stock set name = 'ink' where id = 1;

delete from stock where id = 2;
